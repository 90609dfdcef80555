/* Attributes of a scene: values of fills and emitters, and what is refused. */
#include "scene_fixture.h"

#define ATTRIBUTES(list) "'attributes': [" list "],"

static void fills_and_emitters_give_values_and_others_get_the_initial_ones(void **state)
{
    static const char text[] =
        "{'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'spacing': 0.1, 'attributes': ["
        "{'name': 'dye', 'diffusivity': 0.5}, {'name': 'tint', 'components': 3, 'initial': [1, 2, "
        "3]}, {'name': 'rest', 'kind': 'rest_position', 'period': 2}], 'fluids': [{'name': "
        "'water', 'fill': [{'shape': {'box': {'size': [1, 1, 1]}, 'position': [0.5, 0.5, 0.5]}, "
        "'attributes': {'tint': [4, 5, 6]}}, {'shape': {'box': {'size': [1, 1, 1]}, 'position': "
        "[0.5, 0.5, 0.5]}}]}], 'emitters': [{'name': 'tap', 'fluid': 'water', 'position': [0.5, "
        "0.9, 0.5], 'direction': [0, -1, 0], 'radius': 0.2, 'speed': 1, 'attributes': {'dye': "
        "7}}]}";
    if (parse(&fixture, text) != WEIR_OK) fail_msg("%s", messages(&fixture));
    const scene_data *scene = fixture.scene;
    assert_int_equal(scene->attribute_count, 3);
    assert_int_equal(scene->attribute_components, 7);
    assert_int_equal(scene->attributes[2].components, 3);
    assert_int_equal(scene->attributes[2].first, 4);
    assert_true(scene->attributes[0].diffusivity == 0.5f);
    const scene_attribute_values *fill = &scene->fluids[0].fills[0].attributes,
                                 *other = &scene->fluids[0].fills[1].attributes,
                                 *tap = &scene->emitters[0].attributes;
    assert_true(fill->given == 2 && other->given == 0 && tap->given == 1);
    assert_true(fill->values[0] == 0.0f && fill->values[1] == 4.0f && fill->values[3] == 6.0f);
    assert_true(other->values[1] == 1.0f && other->values[3] == 3.0f);
    assert_true(tap->values[0] == 7.0f && tap->values[2] == 2.0f);
    /* the scene as a run stores it */
    char *json = base_strdup(scene->json);
    assert_int_equal(parse(&fixture, json), WEIR_OK);
    assert_true(fixture.scene->fluids[0].fills[0].attributes.values[2] == 5.0f);
    base_free(json);
}

static void what_files_or_particles_cannot_hold_is_refused(void **state)
{
    static const char *const faults[][2] = {
        {ATTRIBUTES("{'name': 'my dye'}"), "expected a letter or _, then letters, digits and _"},
        {ATTRIBUTES("{'name': 'Velocity'}"), "which names another column in files"},
        {ATTRIBUTES("{'name': 'a'}, {'name': 'a'}"), "already the name of [0]"},
        {ATTRIBUTES("{'name': 'a', 'components': 5}"), "expected an integer from 1 to 4"},
        {ATTRIBUTES("{'name': 'a', 'components': 4}, {'name': 'b', 'components': 4}, {'name': 'c', "
                    "'components': 4}, {'name': 'd', 'components': 4}, {'name': 'e'}"),
         "have 17 components in all, expected at most 16"},
        {ATTRIBUTES("{'name': 'a', 'initial': [1, 2]}"), "expected a number from -1e9 to 1e9"},
        {ATTRIBUTES("{'name': 'a', 'components': 3, 'initial': 1}"),
         "expected an array of 3 numbers"},
        {ATTRIBUTES("{'name': 'a', 'diffusivity': -1}"), "diffusivity"},
        {ATTRIBUTES("{'name': 'a', 'period': 1}"), "applies to \"kind\": \"rest_position\" only"},
        {ATTRIBUTES("{'name': 'a', 'kind': 'age', 'components': 3}"),
         "an attribute of this kind has 1: remove it"},
        {ATTRIBUTES("{'name': 'a', 'kind': 'rest_position', 'diffusivity': 1}"),
         "applies to \"kind\": \"value\" only"},
        {ATTRIBUTES("{'name': 'a', 'kind': 'aged'}"), "did you mean \"age\"?"},
    };
    assert_refused(&fixture, faults, BASE_COUNT(faults));
}

static void refuse_values(const char *attributes, const char *values, const char *message)
{
    char text[800];
    snprintf(text, sizeof text,
             "{'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'spacing': 0.1, %s 'fluids': "
             "[{'name': 'water', 'fill': {'shape': {'sphere': {'radius': 0.3}, 'position': [0.5, "
             "0.5, 0.5]}, 'attributes': %s}}]}",
             attributes, values);
    assert_int_equal(parse(&fixture, text), WEIR_ERROR_SCENE);
    assert_says(&fixture, message);
}

static void values_of_unknown_attributes_are_refused_by_place(void **state)
{
    refuse_values("", "{'dye': 1}",
                  "fluids[0].fill.attributes.dye: is no attribute of this scene: add {\"name\": "
                  "\"dye\"} to its \"attributes\"");
    refuse_values(ATTRIBUTES("{'name': 'dye'}"), "{'dyes': 1}", "did you mean \"dye\"?");
    refuse_values(ATTRIBUTES("{'name': 'dye'}, {'name': 'heat'}"), "{'colour': 1}",
                  "is no attribute of this scene, which has dye, heat");
    refuse_values(ATTRIBUTES("{'name': 'dye'}"), "{'dye': 'red'}", "is \"red\", expected a number");
    refuse_values(ATTRIBUTES("{'name': 'dye'}"), "[1]", "expected an object in braces");
    refuse_values(ATTRIBUTES("{'name': 'old', 'kind': 'age'}"), "{'old': 1}",
                  "is set by the simulation");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(fills_and_emitters_give_values_and_others_get_the_initial_ones,
                                  clear_fixture),
        cmocka_unit_test_teardown(what_files_or_particles_cannot_hold_is_refused, clear_fixture),
        cmocka_unit_test_teardown(values_of_unknown_attributes_are_refused_by_place, clear_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
