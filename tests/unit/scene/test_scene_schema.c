/* scenes/scene.schema.json is generated from the parser's tables and from
   src/scene/schema_frame.json, which holds what the tables lack: the title, lists, choices
   between objects. With --write this program generates the file. */
#include "scene_fixture.h"
#include "scene_internal.h"

#include <stdlib.h>

#define SCHEMA "scenes/scene.schema.json"
#define FRAME "src/scene/schema_frame.json"
#define REMEDY "cmake --build --preset release --target scene_schema"
#define COLUMNS 100u

static json_t *schema; /* the expected schema */

/* ---- from the tables ------------------------------------------------------------------------ */

/* Writes whole numbers without a decimal point. */
static json_t *number(double value)
{
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

static void put_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, json_string(text));
}

static void put_range(json_t *object, const char *type, const scene_field *field)
{
    put_text(object, "type", type);
    json_object_set_new(object, "minimum", number(field->min));
    json_object_set_new(object, "maximum", number(field->max));
}

static void put_vector(json_t *object, const scene_field *field)
{
    json_t *items = json_object();
    put_range(items, "number", field);
    json_object_update_new(
        object, json_pack("{s:s, s:i, s:i}", "type", "array", "minItems", 3, "maxItems", 3));
    json_object_set_new(object, "items", items);
}

static void put_choices(json_t *object, const scene_field *field)
{
    json_t *choices = json_array();
    for (size_t i = 0; field->choices[i]; ++i)
        json_array_append_new(choices, json_string(field->choices[i]));
    json_object_set_new(object, "enum", choices);
}

static void put_bytes(json_t *object, const scene_field *field)
{
    put_text(object, "type", "string");
    json_object_set_new(object, "minLength", number(field->min));
    json_object_set_new(object, "maxLength", number(field->max));
}

/* Adds the frame's entry for a field that is parsed by hand, or else the definition with the
   field's name. */
static void put_other(json_t *object, const scene_field *field, const json_t *frame)
{
    json_t *form = json_object_get(frame, field->name);
    if (form)
        json_object_update(object, form);
    else
        json_object_set_new(object, "$ref", json_sprintf("#/definitions/%s", field->name));
}

static void put_type(json_t *object, const scene_field *field, const json_t *frame)
{
    switch (field->type) {
    case SCENE_FIELD_FLOAT:
    case SCENE_FIELD_DEGREES: put_range(object, "number", field); break;
    case SCENE_FIELD_COUNT: put_range(object, "integer", field); break;
    case SCENE_FIELD_BOOL: put_text(object, "type", "boolean"); break;
    case SCENE_FIELD_VECTOR: put_vector(object, field); break;
    case SCENE_FIELD_CHOICE: put_choices(object, field); break;
    case SCENE_FIELD_TEXT: put_bytes(object, field); break;
    case SCENE_FIELD_OTHER: put_other(object, field, frame); break;
    }
}

static void put_default(json_t *object, const scene_table *table, const scene_field *field)
{
    json_t *value = scene_field_default(table, field);
    if (json_is_real(value)) {
        json_object_set_new(object, "default", number(json_real_value(value)));
    } else if (json_is_array(value)) {
        json_t *numbers = json_array();
        for (size_t i = 0; i < json_array_size(value); ++i)
            json_array_append_new(numbers, number(json_real_value(json_array_get(value, i))));
        json_object_set_new(object, "default", numbers);
    } else {
        json_object_set(object, "default", value);
    }
    json_decref(value);
}

static json_t *property(const scene_table *table, const scene_field *field, const json_t *frame)
{
    json_t *object = json_object();
    json_object_set_new(
        object, "description",
        json_sprintf("%s%s%s", field->about, field->unit[0] ? ", " : "", field->unit));
    put_type(object, field, frame);
    if (field->need == SCENE_FIELD_DEFAULT) put_default(object, table, field);
    if (field->deprecated) json_object_set_new(object, "deprecated", json_true());
    return object;
}

/* Adds the keyframes of a number: its values at increasing times. */
static void put_keyframes(json_t *properties, const scene_table *table, const scene_field *field,
                          const char *key)
{
    scene_field bare = *field;
    bare.need = SCENE_FIELD_REQUIRED;
    json_t *time = json_pack("{s:s, s:s, s:i, s:i}", "description", "time of the keyframe, s",
                             "type", "number", "minimum", 0, "maximum", 1000000);
    json_t *item = json_pack("{s:s, s:b, s:[s, s], s:{s:o, s:o}}", "type", "object",
                             "additionalProperties", 0, "required", "time", field->name,
                             "properties", "time", time, field->name, property(table, &bare, NULL));
    json_t *all = json_pack("{s:o, s:s, s:i, s:i, s:o}", "description",
                            json_sprintf("%s over time, in place of %s", field->name, field->name),
                            "type", "array", "minItems", 1, "maxItems", 100000, "items", item);
    assert_non_null(all);
    json_object_set_new(properties, key, all);
}

/* Fills the fields of a table into the object that the frame has for it. */
static void fill(json_t *object, const scene_table *table)
{
    json_t *frame = json_incref(json_object_get(object, "properties"));
    json_t *properties = json_object(), *required = json_array();
    for (size_t i = 0; i < table->count; ++i) {
        const scene_field *field = &table->fields[i];
        scene_keyframes_key key;
        json_object_set_new(properties, field->name, property(table, field, frame));
        if (scene_field_key(field, &key)) put_keyframes(properties, table, field, key.text);
        if (field->need == SCENE_FIELD_REQUIRED)
            json_array_append_new(required, json_string(field->name));
    }
    json_object_del(object, "properties");
    put_text(object, "type", "object");
    json_object_set_new(object, "additionalProperties", json_false());
    if (json_array_size(required)) json_object_set(object, "required", required);
    json_object_set_new(object, "properties", properties);
    json_decref(required);
    json_decref(frame);
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!json) fail_msg("%s:%d: %s", path, error.line, error.text);
    return json;
}

static json_t *make_schema(void)
{
    json_t *definitions = load(FRAME);
    for (size_t t = 0; t < scene_table_count; ++t) {
        const char *name = scene_tables[t]->name;
        if (!json_object_get(definitions, name))
            json_object_set_new(definitions, name, json_object());
        fill(json_object_get(definitions, name), scene_tables[t]);
    }
    json_t *scene = json_incref(json_object_get(definitions, "scene"));
    json_object_del(definitions, "scene");
    json_object_set_new(scene, "definitions", definitions);
    return scene;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void write_value(base_text *text, const json_t *value, unsigned indent, size_t column);

static void start_line(base_text *text, unsigned indent, bool first)
{
    assert_true(base_text_append(text, "%s\n%*s", first ? "" : ",", (int)indent, ""));
}

static void write_items(base_text *text, const json_t *value, unsigned indent)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_array(value)) {
        json_array_foreach(value, i, item)
        {
            start_line(text, indent, i == 0);
            write_value(text, item, indent, indent);
        }
        return;
    }
    bool first = true;
    json_object_foreach((json_t *)(uintptr_t)value, key, item)
    {
        start_line(text, indent, first);
        assert_true(base_text_append(text, "\"%s\": ", key));
        write_value(text, item, indent, indent + strlen(key) + 4);
        first = false;
    }
}

/* Writes a value on one line where it fits. */
static void write_value(base_text *text, const json_t *value, unsigned indent, size_t column)
{
    char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    assert_non_null(line);
    bool array = json_is_array(value);
    if (column + strlen(line) < COLUMNS || !(array || json_is_object(value))) {
        assert_true(base_text_append(text, "%s", line));
    } else {
        assert_true(base_text_append(text, array ? "[" : "{"));
        write_items(text, value, indent + 2);
        assert_true(base_text_append(text, "\n%*s%s", (int)indent, "", array ? "]" : "}"));
    }
    free(line);
}

static base_text schema_text(void)
{
    base_text text = {0};
    write_value(&text, schema, 0, 0);
    assert_true(base_text_append(&text, "\n"));
    return text;
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* Compares values, because versions of jansson write numbers differently. */
static void the_schema_is_what_the_tables_say(void **state)
{
    base_text text = schema_text();
    json_t *made = json_loads(text.items, JSON_REJECT_DUPLICATES, NULL), *kept = load(SCHEMA);
    if (!json_equal(made, kept))
        fail_msg(SCHEMA " is not what the tables of scenes say. Make it again: " REMEDY);
    json_decref(made);
    json_decref(kept);
    base_free(text.items);
}

/* Otherwise the frame's entry for a field would be lost. */
static void the_frame_speaks_of_fields_that_tables_leave_open(void **state)
{
    json_t *frame = load(FRAME);
    for (size_t t = 0; t < scene_table_count; ++t) {
        const scene_table *table = scene_tables[t];
        json_t *form = json_object_get(frame, table->name);
        size_t open = 0;
        for (size_t i = 0; i < table->count; ++i)
            open += table->fields[i].type == SCENE_FIELD_OTHER &&
                    json_object_get(json_object_get(form, "properties"), table->fields[i].name);
        if (open != json_object_size(json_object_get(form, "properties")))
            fail_msg(FRAME ": %s speaks of a field that its table describes, or lacks",
                     table->name);
    }
    json_decref(frame);
}

static void the_presets_of_both_are_the_same(void **state)
{
    const json_t *properties = json_object_get(
        json_object_get(json_object_get(schema, "definitions"), "solver"), "properties");
    const json_t *names = json_object_get(json_object_get(properties, "preset"), "enum");
    static scene_fixture fixture;
    for (size_t i = 0; i < json_array_size(names); ++i) {
        char *more =
            base_format("'solver': {'preset': '%s'},", json_string_value(json_array_get(names, i)));
        assert_int_equal(parse_with(&fixture, more), WEIR_OK);
        base_free(more);
    }
    assert_int_equal(json_array_size(names), 2);
    scene_clear(&fixture);
}

static void every_reference_leads_somewhere(void **state)
{
    const json_t *definitions = json_object_get(schema, "definitions");
    char *text = json_dumps(schema, 0);
    static const char mark[] = "#/definitions/";
    size_t found = 0;
    for (const char *at = strstr(text, mark); at; at = strstr(at, mark), ++found) {
        at += sizeof mark - 1;
        char name[64] = {0};
        memcpy(name, at, strcspn(at, "\""));
        if (!json_object_get(definitions, name)) fail_msg("no definition of %s", name);
    }
    assert_true(found > 30);
    free(text);
}

static int make(void **state)
{
    schema = make_schema();
    return 0;
}

static int unload(void **state)
{
    json_decref(schema);
    return 0;
}

static int write_schema(void)
{
    schema = make_schema();
    base_text text = schema_text();
    weir_result result = base_file_write(NULL, SCHEMA, text.items, text.count);
    base_free(text.items);
    json_decref(schema);
    return result == WEIR_OK ? 0 : 1;
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_is_what_the_tables_say),
        cmocka_unit_test(the_frame_speaks_of_fields_that_tables_leave_open),
        cmocka_unit_test(the_presets_of_both_are_the_same),
        cmocka_unit_test(every_reference_leads_somewhere),
    };
    if (count == 2 && strcmp(arguments[1], "--write") == 0) return write_schema();
    return cmocka_run_group_tests(tests, make, unload);
}
