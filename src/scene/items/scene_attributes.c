/* Reads the attributes of a scene, and the values that fills and emitters give them. */
#include "scene_internal.h"

#include <ctype.h>

/* Columns of files that mean something else. */
static const char *const taken_names[] = {
    "x",        "y",          "z",          "xyz",   "p",      "pos",        "position",
    "point",    "points",     "positions",  "coord", "coords", "coordinate", "coordinates",
    "location", "v",          "vx",         "vy",    "vz",     "vel",        "velo",
    "velocity", "velocities", "id",         "ids",   "idp",    "gid",        "particle_id",
    "density",  "densities",  "rho",        "rhop",  "fluid",  "kind",       "lifetime",
    "radius",   "pscale",     "nx",         "ny",    "nz",     "n",          "normal",
    "normals",  "curvature",  "neighbours", "type",  "time",   "time_s",
};

static bool equals_ignoring_case(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        ++a, ++b;
    return *a == *b;
}

static bool is_identifier(const char *name)
{
    bool is = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (; is && *name; ++name)
        is = isalnum((unsigned char)*name) || *name == '_';
    return is;
}

/* Names appear as columns in files of many formats. */
static void check_name(scene_parser *parser, const scene_location *where, const char *name)
{
    scene_location at = scene_location_key(where, "name");
    if (!name) return;
    if (!is_identifier(name))
        scene_error(parser, &at,
                    "is \"%s\", expected a letter or _, then letters, digits and _: it names a "
                    "column in files",
                    name);
    for (size_t i = 0; i < BASE_COUNT(taken_names); ++i)
        if (equals_ignoring_case(name, taken_names[i]))
            scene_error(parser, &at,
                        "is \"%s\", which names another column in files; choose another name",
                        name);
}

/* Reads a number, or an array of `count` numbers. Reports an error for anything else. */
static bool read_numbers(scene_parser *parser, const scene_location *where, json_t *value,
                         const scene_attribute *attribute, float *out)
{
    static const double limit = 1e9;
    const bool is_array = json_is_array(value);
    bool sound =
        is_array ? json_array_size(value) == attribute->components : attribute->components == 1;
    for (uint32_t i = 0; i < attribute->components && sound; ++i) {
        json_t *number = is_array ? json_array_get(value, i) : value;
        sound = json_is_number(number) && fabs(json_number_value(number)) <= limit;
        if (sound) out[i] = (float)json_number_value(number);
    }
    if (sound) return true;
    if (attribute->components == 1)
        scene_error(parser, where, "is %s, expected a number from -1e9 to 1e9",
                    scene_format_value(value).text);
    else
        scene_error(parser, where, "is %s, expected an array of %u numbers from -1e9 to 1e9",
                    scene_format_value(value).text, attribute->components);
    return false;
}

/* Checks the keys that depend on the kind, and sets the number of components. */
static void check_kind(scene_parser *parser, const scene_location *where, json_t *object,
                       bool gives_components, scene_attribute *attribute)
{
    const bool rest = attribute->kind == SCENE_ATTRIBUTE_REST_POSITION,
               value = attribute->kind == SCENE_ATTRIBUTE_VALUE;
    const uint32_t components = rest ? 3 : 1;
    scene_location at = scene_location_key(where, "components"),
                   period = scene_location_key(where, "period"),
                   diffusivity = scene_location_key(where, "diffusivity"),
                   initial = scene_location_key(where, "initial");
    if (!rest && (attribute->period > 0.0f || attribute->phase > 0.0f))
        scene_error(parser, &period, "applies to \"kind\": \"rest_position\" only: remove it");
    if (value) return;
    if (gives_components && attribute->components != components)
        scene_error(parser, &at, "is %u, but an attribute of this kind has %u: remove it",
                    attribute->components, components);
    if (attribute->diffusivity > 0.0f)
        scene_error(parser, &diffusivity, "applies to \"kind\": \"value\" only: remove it");
    if (json_object_get(object, "initial"))
        scene_error(parser, &initial, "applies to \"kind\": \"value\" only: remove it");
    attribute->components = components;
    scene_set_json(parser, object, "components", json_integer(components));
}

static void read_attribute(scene_parser *parser, const scene_location *where, json_t *object,
                           void *item)
{
    scene_attribute *attribute = item;
    scene_data *scene = parser->scene;
    attribute->line = scene_line(parser, where, &attribute->column);
    const uint32_t faults = parser->errors;
    const bool gives_components = json_object_get(object, "components") != NULL;
    if (!scene_read_fields(parser, where, object, &scene_table_attribute, attribute)) return;
    check_name(parser, where, attribute->name);
    check_kind(parser, where, object, gives_components, attribute);
    scene_location at = scene_location_key(where, "initial");
    json_t *initial = json_object_get(object, "initial");
    if (initial && faults == parser->errors)
        read_numbers(parser, &at, initial, attribute, attribute->initial);
    attribute->first = scene->attribute_components;
    scene->attribute_components += attribute->components;
}

void scene_read_attributes(scene_parser *parser)
{
    static const scene_list list = {"attributes", SCENE_MAX_ATTRIBUTES, sizeof(scene_attribute),
                                    read_attribute};
    scene_data *scene = parser->scene;
    scene_location top = {0}, where = scene_location_key(&top, "attributes");
    if (!json_object_get(parser->root, "attributes")) return;
    scene->attributes = scene_read_list(parser, &list, &scene->attribute_count);
    if (scene->attribute_components > SCENE_ATTRIBUTE_TOTAL_COMPONENTS)
        scene_error(parser, &where,
                    "have %u components in all, expected at most %u: remove an attribute or give "
                    "one fewer components",
                    scene->attribute_components, SCENE_ATTRIBUTE_TOTAL_COMPONENTS);
}

base_attributes scene_list_attributes(const scene_data *scene)
{
    base_attributes list = {0};
    for (uint32_t i = 0; i < scene->attribute_count; ++i)
        base_attributes_add(&list, scene->attributes[i].name, scene->attributes[i].components);
    return list;
}

uint32_t scene_find_attribute(const scene_data *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->attribute_count; ++i)
        if (scene->attributes[i].name && strcmp(scene->attributes[i].name, name) == 0) return i;
    return UINT32_MAX;
}

void scene_attribute_hint(const scene_data *scene, const char *name,
                          char hint[SCENE_ATTRIBUTE_HINT])
{
    const char *known[SCENE_MAX_ATTRIBUTES] = {NULL};
    size_t count = 0, used = 0;
    for (uint32_t i = 0; i < scene->attribute_count; ++i)
        if (scene->attributes[i].name) known[count++] = scene->attributes[i].name;
    const char *near = base_nearest_name(name, known, count);
    if (near) {
        snprintf(hint, SCENE_ATTRIBUTE_HINT, "; did you mean \"%s\"?", near);
        return;
    }
    if (count == 0) {
        snprintf(hint, SCENE_ATTRIBUTE_HINT, ": add {\"name\": \"%.64s\"} to its \"attributes\"",
                 name);
        return;
    }
    for (size_t i = 0; i < count && used < SCENE_ATTRIBUTE_HINT; ++i)
        used += (size_t)snprintf(hint + used, SCENE_ATTRIBUTE_HINT - used, "%s%s",
                                 i ? ", " : ", which has ", known[i]);
}

void scene_read_attribute_values(scene_parser *parser, const scene_location *where, json_t *object,
                                 scene_attribute_values *values)
{
    const scene_data *scene = parser->scene;
    scene_location at = scene_location_key(where, "attributes");
    json_t *given = json_object_get(object, "attributes"), *value;
    const char *key;
    if (scene->attribute_components > SCENE_ATTRIBUTE_TOTAL_COMPONENTS) return;
    for (uint32_t i = 0; i < scene->attribute_count; ++i)
        memcpy(values->values + scene->attributes[i].first, scene->attributes[i].initial,
               scene->attributes[i].components * sizeof(float));
    if (given && !json_is_object(given))
        scene_error(parser, &at, "is %s, expected an object in braces: a value for each attribute",
                    scene_format_value(given).text);
    json_object_foreach(given, key, value)
    {
        scene_location place = scene_location_key(&at, key);
        const uint32_t index = scene_find_attribute(scene, key);
        if (index == UINT32_MAX) {
            char hint[SCENE_ATTRIBUTE_HINT];
            scene_attribute_hint(scene, key, hint);
            scene_error(parser, &place, "is no attribute of this scene%s", hint);
            continue;
        }
        const scene_attribute *attribute = &scene->attributes[index];
        if (attribute->kind != SCENE_ATTRIBUTE_VALUE)
            scene_error(parser, &place, "is set by the simulation (\"kind\"): remove it here");
        else if (read_numbers(parser, &place, value, attribute, values->values + attribute->first))
            values->given |= 1u << index;
    }
}
