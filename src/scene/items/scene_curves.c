/* Reads numbers of a fluid that depend on an attribute of its particles, such as the viscosity of
 * wax on its temperature. */
#include "scene_internal.h"

/* A point of a curve, as its table reads it. */
typedef struct curve_point {
    float value, number;
} curve_point;

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

static void read_attribute_name(scene_parser *parser, const scene_location *where, json_t *object,
                                scene_curve *curve)
{
    const scene_data *scene = parser->scene;
    scene_location at = scene_location_key(where, "attribute");
    base_text names = {0};
    const char *name = scene_read_word(parser, &at, object);
    if (!name || find_component(scene, name, &curve->component)) return;
    for (uint32_t i = 0; i < scene->attribute_count; ++i) {
        const scene_attribute *a = &scene->attributes[i];
        base_text_append(&names, "%s%s%s", i ? ", " : "", a->name, a->components > 1 ? "_x" : "");
    }
    scene_error(parser, &at, "is \"%s\", but the scene's attributes with one number are: %s", name,
                names.count ? names.items : "none; list it in attributes");
    base_free(names.items);
}

static void read_points(scene_parser *parser, const scene_location *where, json_t *object,
                        const scene_field *number, scene_curve *curve)
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
    json_t *array =
        scene_read_array(parser, &points, object, SCENE_MAX_CURVE_VALUES, &curve->count);
    if (array && curve->count < 2)
        scene_error(parser, &points, "has %u point%s, expected at least 2", curve->count,
                    curve->count == 1 ? "" : "s");
    for (uint32_t i = 0; i < curve->count; ++i) {
        scene_location at = scene_location_element(&points, i);
        curve_point point;
        scene_read_fields(parser, &at, json_array_get(array, i), &table, &point);
        curve->values[i] = point.value;
        curve->numbers[i] = point.number;
        scene_location value = scene_location_key(&at, "value");
        if (i > 0 && point.value <= curve->values[i - 1])
            scene_error(parser, &value, "is %g, expected more than the %g of the point before it",
                        (double)point.value, (double)curve->values[i - 1]);
    }
}

void scene_read_curve(scene_parser *parser, const scene_location *where, json_t *object,
                      const char *key, scene_curve *curve)
{
    static const scene_field fields[] = {
        {.name = "attribute", .type = SCENE_FIELD_OTHER, .need = SCENE_FIELD_REQUIRED, .unit = ""},
        {.name = "points", .type = SCENE_FIELD_OTHER, .need = SCENE_FIELD_REQUIRED, .unit = ""},
    };
    static const scene_table table = {"curve", fields, 2, NULL};
    const scene_field *number = scene_find_field(&scene_table_fluid, key);
    const uint32_t faults = parser->errors;
    char name[64];
    snprintf(name, sizeof name, "%s_curve", key);
    json_t *given = json_object_get(object, name);
    scene_location at = scene_location_key(where, name);
    if (!given) return;
    if (json_object_get(object, key))
        scene_error(parser, &at, "is given together with \"%s\": remove one of them", key);
    if (!scene_read_fields(parser, &at, given, &table, NULL) || faults != parser->errors) return;
    read_attribute_name(parser, &at, given, curve);
    read_points(parser, &at, given, number, curve);
    curve->given = faults == parser->errors;
}

float scene_curve_largest(const scene_curve *curve)
{
    float largest = 0.0f;
    for (uint32_t i = 0; i < curve->count; ++i)
        largest = fmaxf(largest, curve->numbers[i]);
    return largest;
}

float scene_curve_at(const scene_curve *curve, float value)
{
    uint32_t i = 0;
    if (value <= curve->values[0]) return curve->numbers[0];
    if (value >= curve->values[curve->count - 1]) return curve->numbers[curve->count - 1];
    while (value >= curve->values[i + 1])
        ++i;
    const float a = curve->numbers[i], b = curve->numbers[i + 1];
    const float t = (value - curve->values[i]) / (curve->values[i + 1] - curve->values[i]);
    if (a > 0.0f && b > 0.0f) return (float)((double)a * pow((double)b / (double)a, (double)t));
    return a + t * (b - a);
}
