/* Reads objects by their field tables: checks types, ranges and unknown keys, and adds defaults to
 * the JSON, which thereby becomes the effective scene. */
#include "scene_internal.h"

#define RADIANS_PER_DEGREE 0.017453292519943295

/* ---- messages ------------------------------------------------------------------------------- */

static void describe_choices(char *text, size_t size, const char *const *choices)
{
    size_t used = (size_t)snprintf(text, size, "one of");
    for (size_t i = 0; choices[i] && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s \"%s\"", i ? "," : "", choices[i]);
}

static void describe_expected(char *text, size_t size, const scene_field *field)
{
    const char *space = field->unit[0] ? " " : "";
    switch (field->type) {
    case SCENE_FIELD_FLOAT:
    case SCENE_FIELD_DEGREES:
        snprintf(text, size, "a number from %.9g to %.9g%s%s", field->min, field->max, space,
                 field->unit);
        break;
    case SCENE_FIELD_COUNT:
        snprintf(text, size, "an integer from %.0f to %.0f%s%s", field->min, field->max, space,
                 field->unit);
        break;
    case SCENE_FIELD_VECTOR:
        snprintf(text, size, "three numbers, each from %.9g to %.9g%s%s", field->min, field->max,
                 space, field->unit);
        break;
    case SCENE_FIELD_TEXT:
        snprintf(text, size, "a text of %.0f to %.0f bytes", field->min, field->max);
        break;
    case SCENE_FIELD_BOOL: snprintf(text, size, "true or false"); break;
    case SCENE_FIELD_CHOICE: describe_choices(text, size, field->choices); break;
    case SCENE_FIELD_OTHER: text[0] = '\0'; break;
    }
}

/* Returns the choice that a misspelt text resembles; NULL: none. */
static const char *nearest_choice(const json_t *value, const scene_field *field)
{
    size_t count = 0;
    if (field->type != SCENE_FIELD_CHOICE || !json_is_string(value)) return NULL;
    while (field->choices[count])
        count++;
    return base_nearest_name(json_string_value(value), field->choices, count);
}

static void error_bad_value(scene_parser *parser, const scene_location *where, const json_t *value,
                            const scene_field *field)
{
    char expected[200];
    describe_expected(expected, sizeof expected, field);
    const char *near = nearest_choice(value, field);
    scene_error(parser, where, "is %s, expected %s (%s)%s%s%s", scene_format_value(value).text,
                expected, field->about, near ? "; did you mean \"" : "", near ? near : "",
                near ? "\"?" : "");
}

static void error_missing_key(scene_parser *parser, const scene_location *where,
                              const scene_field *field)
{
    char expected[200];
    describe_expected(expected, sizeof expected, field);
    if (expected[0])
        scene_error(parser, where, "is missing, expected %s (%s)", expected, field->about);
    else
        scene_error(parser, where, "is missing (%s)", field->about);
}

/* ---- values --------------------------------------------------------------------------------- */

/* Returns the shortest number that parses to the same bits; this keeps the effective scene short.
 */
static json_t *json_float(float value)
{
    return json_real(base_shortest_decimal(value));
}

static bool number_in_range(const json_t *value, const scene_field *field, double *number)
{
    if (!json_is_number(value)) return false;
    *number = json_number_value(value);
    return isfinite(*number) && *number >= field->min && *number <= field->max;
}

static json_t *read_float(const json_t *value, const scene_field *field, float *out)
{
    double number;
    if (!number_in_range(value, field, &number)) return NULL;
    *out = (float)number;
    if (field->exact && fabs(number) > SCENE_FAR) return json_real(number);
    return json_float((float)number);
}

static json_t *read_degrees(const json_t *value, const scene_field *field, float *out)
{
    float degrees;
    json_t *canonical = read_float(value, field, &degrees);
    if (canonical) *out = (float)(degrees * RADIANS_PER_DEGREE);
    return canonical;
}

static json_t *read_count(const json_t *value, const scene_field *field, uint32_t *out)
{
    double number;
    if (!number_in_range(value, field, &number) || number != floor(number)) return NULL;
    *out = (uint32_t)number;
    return json_integer(*out);
}

static json_t *read_bool(json_t *value, bool *out)
{
    if (!json_is_boolean(value)) return NULL;
    *out = json_is_true(value);
    return json_incref(value);
}

static json_t *read_choice(json_t *value, const scene_field *field, uint32_t *out)
{
    const char *text = json_string_value(value);
    for (uint32_t i = 0; text && field->choices[i]; ++i)
        if (strcmp(text, field->choices[i]) == 0) {
            *out = i;
            return json_incref(value);
        }
    return NULL;
}

static json_t *read_vector(const json_t *value, const scene_field *field, float out[3])
{
    if (!json_is_array(value) || json_array_size(value) != 3) return NULL;
    float read[3];
    json_t *canonical = json_array();
    for (size_t i = 0; i < 3; ++i) {
        json_t *number = read_float(json_array_get(value, i), field, &read[i]);
        if (!number || json_array_append_new(canonical, number) != 0) {
            json_decref(canonical);
            return NULL;
        }
    }
    memcpy(out, read, sizeof read);
    return canonical;
}

static json_t *read_text(scene_parser *parser, json_t *value, const scene_field *field, char **out)
{
    size_t size = json_string_length(value);
    if (!json_is_string(value) || (double)size < field->min || (double)size > field->max)
        return NULL;
    base_free(*out);
    *out = base_strdup(json_string_value(value));
    if (!*out) parser->out_of_memory = true;
    return json_incref(value);
}

/* Returns the canonical form of the value, a new reference; NULL when the value is invalid. */
static json_t *read_value(scene_parser *parser, json_t *value, const scene_field *field, void *out)
{
    switch (field->type) {
    case SCENE_FIELD_FLOAT: return read_float(value, field, out);
    case SCENE_FIELD_DEGREES: return read_degrees(value, field, out);
    case SCENE_FIELD_COUNT: return read_count(value, field, out);
    case SCENE_FIELD_BOOL: return read_bool(value, out);
    case SCENE_FIELD_CHOICE: return read_choice(value, field, out);
    case SCENE_FIELD_VECTOR: return read_vector(value, field, out);
    case SCENE_FIELD_TEXT: return read_text(parser, value, field, out);
    case SCENE_FIELD_OTHER: break;
    }
    return json_incref(value);
}

json_t *scene_field_default(const scene_table *table, const scene_field *field)
{
    const char *at = (const char *)table->defaults + field->offset;
    float vector[3];
    uint32_t number;
    switch (field->type) {
    case SCENE_FIELD_FLOAT: return json_float(*(const float *)at);
    case SCENE_FIELD_DEGREES: return json_float((float)(*(const float *)at / RADIANS_PER_DEGREE));
    case SCENE_FIELD_BOOL: return json_boolean(*(const bool *)at);
    case SCENE_FIELD_TEXT: return json_string(*(char *const *)at);
    case SCENE_FIELD_VECTOR:
        memcpy(vector, at, sizeof vector);
        return json_pack("[o,o,o]", json_float(vector[0]), json_float(vector[1]),
                         json_float(vector[2]));
    case SCENE_FIELD_COUNT:
    case SCENE_FIELD_CHOICE:
        memcpy(&number, at, sizeof number);
        return field->choices ? json_string(field->choices[number]) : json_integer(number);
    case SCENE_FIELD_OTHER: break;
    }
    return NULL;
}

/* ---- objects -------------------------------------------------------------------------------- */

static void error_unknown_key(scene_parser *parser, const scene_location *where,
                              const char *const *names, size_t count)
{
    if (parser->errors >= SCENE_MAX_ERRORS) {
        ++parser->errors;
        return;
    }
    if (scene_error_known_key(parser, where)) return;
    const char *near = base_nearest_name(where->key, names, count);
    base_text all = {0};
    for (size_t i = 0; i < count; ++i)
        base_text_append(&all, "%s%s", i ? ", " : "", names[i]);
    if (near)
        scene_error(parser, where, "unknown key; did you mean \"%s\"?", near);
    else
        scene_error(parser, where, "unknown key; expected %s",
                    all.items ? all.items : "no keys here");
    base_free(all.items);
}

typedef struct table_names {
    const char *items[48];
    size_t count;
} table_names;

static table_names list_names(const scene_table *table)
{
    table_names names = {.count = table->count};
    WEIR_ASSERT(table->count <= BASE_COUNT(names.items));
    for (size_t i = 0; i < table->count; ++i)
        names.items[i] = table->fields[i].name;
    return names;
}

static bool has_name(const table_names *names, const char *key)
{
    for (size_t i = 0; i < names->count; ++i)
        if (strcmp(key, names->items[i]) == 0) return true;
    return false;
}

static void check_unknown_keys(scene_parser *parser, const scene_location *where, json_t *object,
                               const scene_table *table)
{
    const table_names names = list_names(table);
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        scene_location at = scene_location_key(where, key);
        if (!has_name(&names, key) && !scene_is_keyframes_key(table, key))
            error_unknown_key(parser, &at, names.items, names.count);
    }
}

/* Whether the error of an unknown key suggests this field. */
static bool is_misspelled(json_t *object, const scene_table *table, const scene_field *field)
{
    const table_names names = list_names(table);
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (has_name(&names, key) || scene_is_keyframes_key(table, key)) continue;
        const char *near = base_nearest_name(key, names.items, names.count);
        if (near && strcmp(near, field->name) == 0) return true;
    }
    return false;
}

const scene_field *scene_find_field(const scene_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->count && strcmp(table->fields[i].name, name) != 0)
        ++i;
    WEIR_ASSERT(i < table->count);
    return &table->fields[i];
}

/* Returns whether keyframes or a curve replace the value of a field. */
static bool is_replaced(json_t *object, const scene_table *table, const scene_field *field)
{
    scene_keyframes_key key;
    char curve[80];
    if (scene_field_key(field, &key) && json_object_get(object, key.text)) return true;
    if (field->type != SCENE_FIELD_FLOAT) return false; /* a colour stays that of the whole fluid */
    snprintf(curve, sizeof curve, "%s_curve", field->name);
    for (size_t i = 0; i < table->count; ++i)
        if (strcmp(table->fields[i].name, curve) == 0)
            return json_object_get(object, curve) != NULL;
    return false;
}

/* Returns the value of a field, or its default when it is missing; NULL when it has no default. */
static json_t *field_value(scene_parser *parser, const scene_location *at, json_t *object,
                           const scene_table *table, const scene_field *field)
{
    json_t *value = json_object_get(object, field->name);
    if (!value && is_replaced(object, table, field)) return NULL;
    if (!value && field->need == SCENE_FIELD_REQUIRED && !is_misspelled(object, table, field))
        error_missing_key(parser, at, field);
    if (value && field->deprecated)
        scene_warn(parser, at, "is deprecated: %s; it works until the next format of scenes",
                   field->deprecated);
    if (value || field->need != SCENE_FIELD_DEFAULT || field->deprecated) return value;
    value = scene_field_default(table, field);
    scene_set_json(parser, object, field->name, value);
    return value;
}

/* Reads one value and stores its canonical form in the JSON. */
static void read_field(scene_parser *parser, const scene_location *at, json_t *object,
                       const scene_field *field, void *out)
{
    json_t *value = json_object_get(object, field->name);
    if (!value || field->type == SCENE_FIELD_OTHER) return;
    json_t *canonical = read_value(parser, value, field, (char *)out + field->offset);
    if (!canonical)
        error_bad_value(parser, at, value, field);
    else
        scene_set_json(parser, object, field->name, canonical);
}

/* Copies the defaults except texts, which the reader would have to own. */
static void copy_defaults(const scene_table *table, void *out)
{
    static const size_t sizes[] = {
        [SCENE_FIELD_FLOAT] = sizeof(float),
        [SCENE_FIELD_DEGREES] = sizeof(float),
        [SCENE_FIELD_COUNT] = sizeof(uint32_t),
        [SCENE_FIELD_BOOL] = sizeof(bool),
        [SCENE_FIELD_VECTOR] = sizeof(vec3),
        [SCENE_FIELD_CHOICE] = sizeof(uint32_t),
        [SCENE_FIELD_OTHER] = 0, /* also texts */
    };
    for (size_t i = 0; i < table->count; ++i) {
        const scene_field *field = &table->fields[i];
        if (sizes[field->type])
            memcpy((char *)out + field->offset, (const char *)table->defaults + field->offset,
                   sizes[field->type]);
    }
}

bool scene_read_fields(scene_parser *parser, const scene_location *where, json_t *object,
                       const scene_table *table, void *out)
{
    copy_defaults(table, out);
    if (!json_is_object(object)) {
        scene_error(parser, where, "is %s, expected an object in braces",
                    scene_format_value(object).text);
        return false;
    }
    for (size_t i = 0; i < table->count; ++i) {
        const scene_field *field = &table->fields[i];
        scene_location at = scene_location_key(where, field->name);
        if (field_value(parser, &at, object, table, field))
            read_field(parser, &at, object, field, out);
        scene_read_field_keyframes(parser, where, object, field, out);
    }
    check_unknown_keys(parser, where, object, table);
    return true;
}

bool scene_read_name(scene_parser *parser, const scene_location *where, const json_t *value,
                     const scene_choices *names, uint32_t *choice)
{
    const char *text = json_string_value(value);
    for (uint32_t i = 0; text && names->items[i]; ++i)
        if (strcmp(text, names->items[i]) == 0) {
            *choice = i;
            return true;
        }
    scene_error(parser, where, "is %s, expected %s", scene_format_value(value).text, names->list);
    return false;
}

bool scene_read_number(json_t *array, size_t index, const scene_field *field, float *out)
{
    json_t *canonical = read_float(json_array_get(array, index), field, out);
    return canonical && json_array_set_new(array, index, canonical) == 0;
}

bool scene_read_vector(scene_parser *parser, const scene_location *where, json_t *value,
                       const scene_field *field, float out[3])
{
    json_t *canonical = read_vector(value, field, out);
    if (!canonical) {
        error_bad_value(parser, where, value, field);
        return false;
    }
    for (size_t i = 0; i < 3; ++i)
        if (json_array_set(value, i, json_array_get(canonical, i)) != 0)
            parser->out_of_memory = true;
    json_decref(canonical);
    return true;
}
