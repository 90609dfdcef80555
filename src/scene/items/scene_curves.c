/* Reads numbers of a fluid that depend on an attribute of its particles, such as the viscosity of
 * wax on its temperature. */
#include "scene_internal.h"

/* A point of a curve, as its table reads it: a number, or a colour. */
typedef struct curve_point {
    float value, number[3];
} curve_point;

typedef struct curve_points {
    uint32_t count;
    curve_point items[SCENE_MAX_CURVE_VALUES];
} curve_points;

/* An attribute by its name, or one component of it, as in "tint_x". */
static bool find_component(const scene_data *scene, const char *name, uint32_t *component)
{
    for (uint32_t i = 0; i < scene->attribute_count; ++i) {
        const scene_attribute *a = &scene->attributes[i];
        const size_t length = strlen(a->name);
        if (strncmp(name, a->name, length) != 0) continue;
        const char *rest = name + length;
        const char *axes = "xyzw", *axis = rest[0] == '_' && rest[1] ? strchr(axes, rest[1]) : NULL;
        *component = a->first;
        if (a->components == 1 && rest[0] == '\0') return true;
        if (a->components == 1 || !axis || rest[2] || axis - axes >= (ptrdiff_t)a->components)
            continue;
        *component += (uint32_t)(axis - axes);
        return true;
    }
    return false;
}

/* Reads the name of the attribute, which belongs to the JSON; NULL after an error. */
static const char *read_attribute_name(scene_parser *parser, const scene_location *where,
                                       json_t *object, uint32_t *component)
{
    const scene_data *scene = parser->scene;
    scene_location at = scene_location_key(where, "attribute");
    base_text names = {0};
    const char *name = scene_read_word(parser, &at, object);
    if (!name || find_component(scene, name, component)) return name;
    for (uint32_t i = 0; i < scene->attribute_count; ++i) {
        const scene_attribute *a = &scene->attributes[i];
        base_text_append(&names, "%s%s%s", i ? ", " : "", a->name, a->components > 1 ? "_x" : "");
    }
    scene_error(parser, &at, "is \"%s\", but the scene's attributes with one number are: %s", name,
                names.count ? names.items : "none; list it in attributes");
    base_free(names.items);
    return NULL;
}

static void read_points(scene_parser *parser, const scene_location *where, json_t *object,
                        const scene_field *number, curve_points *out)
{
    scene_field fields[2] = {{.name = "value",
                              .type = SCENE_FIELD_FLOAT,
                              .need = SCENE_FIELD_REQUIRED,
                              .offset = offsetof(curve_point, value),
                              .min = -1e9,
                              .max = 1e9,
                              .unit = "",
                              .about = "value of the attribute"},
                             *number};
    fields[1].need = SCENE_FIELD_REQUIRED;
    fields[1].offset = offsetof(curve_point, number);
    fields[1].keyed = false;
    const scene_table table = {"curve_point", fields, 2, &(const curve_point){0}};
    scene_location points = scene_location_key(where, "points");
    json_t *array = scene_read_array(parser, &points, object, SCENE_MAX_CURVE_VALUES, &out->count);
    if (array && out->count < 2)
        scene_error(parser, &points, "has %u point%s, expected at least 2", out->count,
                    out->count == 1 ? "" : "s");
    for (uint32_t i = 0; i < out->count; ++i) {
        scene_location at = scene_location_element(&points, i), value;
        scene_read_fields(parser, &at, json_array_get(array, i), &table, &out->items[i]);
        value = scene_location_key(&at, "value");
        if (i > 0 && out->items[i].value <= out->items[i - 1].value)
            scene_error(parser, &value, "is %g, expected more than the %g of the point before it",
                        (double)out->items[i].value, (double)out->items[i - 1].value);
    }
}

/* A curve of a fluid, and where it is. */
typedef struct curve_input {
    const char *attribute; /* NULL after an error, or without a curve */
    uint32_t component;
    curve_points points;
} curve_input;

static void read_curve(scene_parser *parser, const scene_location *where, json_t *object,
                       const scene_field *number, curve_input *out)
{
    static const scene_field fields[] = {
        {.name = "attribute", .type = SCENE_FIELD_OTHER, .need = SCENE_FIELD_REQUIRED, .unit = ""},
        {.name = "points", .type = SCENE_FIELD_OTHER, .need = SCENE_FIELD_REQUIRED, .unit = ""},
    };
    static const scene_table table = {"curve", fields, 2, NULL};
    const uint32_t faults = parser->errors;
    char name[64];
    *out = (curve_input){0};
    snprintf(name, sizeof name, "%s_curve", number->name);
    json_t *given = json_object_get(object, name);
    scene_location at = scene_location_key(where, name);
    if (!given) return;
    if (number->type == SCENE_FIELD_FLOAT && json_object_get(object, number->name))
        scene_error(parser, &at, "is given together with \"%s\": remove one of them", number->name);
    if (!scene_read_fields(parser, &at, given, &table, NULL) || faults != parser->errors) return;
    const char *attribute = read_attribute_name(parser, &at, given, &out->component);
    read_points(parser, &at, given, number, &out->points);
    if (faults == parser->errors) out->attribute = attribute;
}

void scene_read_curve(scene_parser *parser, const scene_location *where, json_t *object,
                      const char *key, scene_curve *curve)
{
    curve_input in;
    read_curve(parser, where, object, scene_find_field(&scene_table_fluid, key), &in);
    curve->given = in.attribute != NULL;
    curve->component = in.component;
    curve->count = in.attribute ? in.points.count : 0;
    for (uint32_t i = 0; i < curve->count; ++i) {
        curve->values[i] = in.points.items[i].value;
        curve->numbers[i] = in.points.items[i].number[0];
    }
}

void scene_read_colour_curve(scene_parser *parser, const scene_location *where, json_t *object,
                             scene_colour_curve *curve)
{
    curve_input in;
    read_curve(parser, where, object, scene_find_field(&scene_table_fluid, "colour"), &in);
    curve->given = in.attribute != NULL;
    curve->count = in.attribute ? in.points.count : 0;
    snprintf(curve->attribute, sizeof curve->attribute, "%s", in.attribute ? in.attribute : "");
    for (uint32_t i = 0; i < curve->count; ++i) {
        curve->values[i] = in.points.items[i].value;
        memcpy(curve->colours[i], in.points.items[i].number, sizeof curve->colours[i]);
    }
}

float scene_curve_largest(const scene_curve *curve)
{
    float largest = 0.0f;
    for (uint32_t i = 0; i < curve->count; ++i)
        largest = fmaxf(largest, curve->numbers[i]);
    return largest;
}

/* Returns the index of the point before a value, at most the last but one; `t` becomes the place of
 * the value between it and the next point, 0 to 1. */
static uint32_t find_point(const float *values, uint32_t count, float value, float *t)
{
    uint32_t i = 0;
    while (i + 2 < count && value >= values[i + 1])
        ++i;
    *t = fminf(fmaxf((value - values[i]) / (values[i + 1] - values[i]), 0.0f), 1.0f);
    return i;
}

void scene_colour_curve_at(const scene_colour_curve *curve, float value, float colour[3])
{
    float t;
    const uint32_t i = find_point(curve->values, curve->count, value, &t);
    for (int k = 0; k < 3; ++k)
        colour[k] = (1.0f - t) * curve->colours[i][k] + t * curve->colours[i + 1][k];
}

float scene_curve_at(const scene_curve *curve, float value)
{
    float t;
    const uint32_t i = find_point(curve->values, curve->count, value, &t);
    const float a = curve->numbers[i], b = curve->numbers[i + 1];
    if (t == 0.0f || t == 1.0f) return t == 0.0f ? a : b;
    if (a > 0.0f && b > 0.0f) return (float)((double)a * pow((double)b / (double)a, (double)t));
    return a + t * (b - a);
}
