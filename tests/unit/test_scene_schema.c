/* scenes/scene.schema.json and the parser's tables say the same. */
#include "scene_fixture.h"
#include "scene_internal.h"

#include <stdlib.h>

static json_t *schema;

/* What is being compared, for the messages. */
static const char *at_table, *at_field;

static const json_t *definition(const scene_table *table)
{
    if (table == &scene_table_scene) return schema;
    return json_object_get(json_object_get(schema, "definitions"), table->name);
}

static void expect_number(const json_t *property, const char *key, double value)
{
    const json_t *found = json_object_get(property, key);
    if (!json_is_number(found) || json_number_value(found) != value)
        fail_msg("%s.%s: %s is %s, the table has %.17g", at_table, at_field, key,
                 scene_show(found).text, value);
}

static void expect_text(const json_t *property, const char *key, const char *value)
{
    const char *found = json_string_value(json_object_get(property, key));
    if (!found || strcmp(found, value) != 0)
        fail_msg("%s.%s: %s is \"%s\", the table has \"%s\"", at_table, at_field, key,
                 found ? found : "missing", value);
}

static void expect_range(const json_t *property, const char *type, const scene_field *field)
{
    expect_text(property, "type", type);
    expect_number(property, "minimum", field->min);
    expect_number(property, "maximum", field->max);
}

static void expect_vector(const json_t *property, const scene_field *field)
{
    expect_text(property, "type", "array");
    expect_number(property, "minItems", 3);
    expect_number(property, "maxItems", 3);
    expect_range(json_object_get(property, "items"), "number", field);
}

static void expect_choices(const json_t *property, const scene_field *field)
{
    const json_t *choices = json_object_get(property, "enum");
    size_t count = 0;
    for (; field->choices[count]; ++count) {
        const char *choice = json_string_value(json_array_get(choices, count));
        assert_non_null(choice);
        assert_string_equal(choice, field->choices[count]);
    }
    assert_int_equal(json_array_size(choices), count);
}

static void expect_type(const json_t *property, const scene_field *field)
{
    switch (field->type) {
    case SCENE_FIELD_FLOAT:
    case SCENE_FIELD_DEGREES: expect_range(property, "number", field); break;
    case SCENE_FIELD_COUNT: expect_range(property, "integer", field); break;
    case SCENE_FIELD_BOOL: expect_text(property, "type", "boolean"); break;
    case SCENE_FIELD_VECTOR: expect_vector(property, field); break;
    case SCENE_FIELD_CHOICE: expect_choices(property, field); break;
    case SCENE_FIELD_TEXT:
        expect_text(property, "type", "string");
        expect_number(property, "minLength", field->min);
        expect_number(property, "maxLength", field->max);
        break;
    case SCENE_FIELD_OTHER: break;
    }
}

/* Equal numbers count as equal whether written 60 or 60.0. */
static bool same_value(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b)) return json_number_value(a) == json_number_value(b);
    if (!json_is_array(a) || !json_is_array(b)) return json_equal(a, b);
    bool same = json_array_size(a) == json_array_size(b);
    for (size_t i = 0; same && i < json_array_size(a); ++i)
        same = json_number_value(json_array_get(a, i)) == json_number_value(json_array_get(b, i));
    return same;
}

static void expect_default(const json_t *property, const scene_table *table,
                           const scene_field *field)
{
    json_t *value = field->need == SCENE_FIELD_DEFAULT ? scene_field_default(table, field) : NULL;
    const json_t *found = json_object_get(property, "default");
    if (field->type != SCENE_FIELD_OTHER && !value != !found)
        fail_msg("%s.%s: only one of schema and table has a default", table->name, field->name);
    if (value && !same_value(value, found))
        fail_msg("%s.%s: default is %s, the table has %s", table->name, field->name,
                 scene_show(found).text, scene_show(value).text);
    json_decref(value);
}

static void expect_about(const json_t *property, const scene_field *field)
{
    char *about = base_format("%s%s%s", field->about, field->unit[0] ? ", " : "", field->unit);
    expect_text(property, "description", about);
    base_free(about);
}

static bool is_required(const json_t *object, const char *name)
{
    const json_t *required = json_object_get(object, "required");
    for (size_t i = 0; i < json_array_size(required); ++i)
        if (strcmp(json_string_value(json_array_get(required, i)), name) == 0) return true;
    return false;
}

static void names_types_ranges_defaults_and_descriptions_agree(void **state)
{
    (void)state;
    for (size_t t = 0; t < scene_table_count; ++t) {
        const scene_table *table = scene_tables[t];
        const json_t *object = definition(table);
        if (!object) fail_msg("the schema does not define %s", table->name);
        const json_t *properties = json_object_get(object, "properties");
        assert_true(json_is_false(json_object_get(object, "additionalProperties")));
        assert_int_equal(json_object_size(properties), table->count);
        for (size_t i = 0; i < table->count; ++i) {
            const scene_field *field = &table->fields[i];
            const json_t *property = json_object_get(properties, field->name);
            at_table = table->name;
            at_field = field->name;
            if (!property) fail_msg("the schema lacks %s.%s", at_table, at_field);
            expect_about(property, field);
            expect_type(property, field);
            expect_default(property, table, field);
            assert_int_equal(is_required(object, field->name), field->need == SCENE_FIELD_REQUIRED);
        }
    }
}

static void the_presets_of_both_are_the_same(void **state)
{
    (void)state;
    const json_t *properties = json_object_get(definition(&scene_table_solver), "properties");
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
    (void)state;
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

static int load(void **state)
{
    (void)state;
    json_error_t error;
    schema = json_load_file("scenes/scene.schema.json", JSON_REJECT_DUPLICATES, &error);
    if (!schema) fail_msg("scenes/scene.schema.json:%d: %s", error.line, error.text);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    json_decref(schema);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_types_ranges_defaults_and_descriptions_agree),
        cmocka_unit_test(the_presets_of_both_are_the_same),
        cmocka_unit_test(every_reference_leads_somewhere),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
