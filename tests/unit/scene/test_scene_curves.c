/* Numbers of fluids that depend on an attribute. */
#include "scene_fixture.h"

#include <math.h>

#define SCENE(fluid)                                                                             \
    "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'attributes': [{'name': "  \
    "'tint', 'components': 3}, {'name': 'temperature'}], 'fluids': [{'name': 'wax', " fluid ", " \
    "'fill': {'shape': {'sphere': {'radius': 0.3}}}}]}"
#define VISCOSITY(attribute, points) \
    "'dynamic_viscosity_curve': {'attribute': '" attribute "', 'points': [" points "]}"
#define POINT(value, viscosity) "{'value': " value ", 'dynamic_viscosity': " viscosity "}"

static void viscosity_is_geometric_between_points(void **state)
{
    assert_int_equal(
        parse(&fixture, SCENE(VISCOSITY("temperature", POINT("20", "100") "," POINT(
                                                           "60", "1") "," POINT("80", "0")))),
        WEIR_OK);
    const scene_fluid *fluid = &fixture.scene->fluids[0];
    const scene_curve *curve = &fluid->viscosity_curve;
    assert_true(curve->given && curve->component == 3 && curve->count == 3);
    assert_true(fluid->dynamic_viscosity == 100.0f); /* the largest */
    assert_true(scene_curve_at(curve, -5) == 100.0f && scene_curve_at(curve, 99) == 0.0f);
    assert_true(fabsf(scene_curve_at(curve, 40) - 10.0f) < 1e-4f);
    assert_true(fabsf(scene_curve_at(curve, 70) - 0.5f) < 1e-6f); /* linear to 0 */
}

static void a_component_is_named(void **state)
{
    assert_int_equal(
        parse(&fixture, SCENE(VISCOSITY("tint_z", POINT("0", "1") "," POINT("1", "2")))), WEIR_OK);
    assert_int_equal(fixture.scene->fluids[0].viscosity_curve.component, 2);
}

static void the_effective_scene_has_the_same_curve(void **state)
{
    assert_int_equal(
        parse(&fixture, SCENE(VISCOSITY("temperature", POINT("0", "1") "," POINT("1", "2")))),
        WEIR_OK);
    char *json = base_strdup(fixture.scene->json);
    const scene_curve before = fixture.scene->fluids[0].viscosity_curve;
    assert_int_equal(parse(&fixture, json), WEIR_OK);
    assert_memory_equal(&before, &fixture.scene->fluids[0].viscosity_curve, sizeof before);
    base_free(json);
}

static void faults_are_named(void **state)
{
    static const char *const faults[][2] = {
        {SCENE(VISCOSITY("heat", POINT("0", "1") "," POINT("1", "2"))),
         "dynamic_viscosity_curve.attribute: is \"heat\", but the scene's attributes with one "
         "number are: tint_x, temperature"},
        {SCENE(VISCOSITY("tint", POINT("0", "1") "," POINT("1", "2"))), "is \"tint\", but"},
        {SCENE(VISCOSITY("tint_w", POINT("0", "1") "," POINT("1", "2"))), "is \"tint_w\", but"},
        {SCENE(VISCOSITY("temperature", POINT("0", "1"))),
         "points: has 1 point, expected at least"},
        {SCENE(VISCOSITY("temperature", POINT("1", "1") "," POINT("1", "2"))),
         "points[1].value: is 1, expected more than the 1 of the point before it"},
        {SCENE(VISCOSITY("temperature", POINT("1", "1") "," POINT("2", "-2"))),
         "points[1].dynamic_viscosity: is -2, expected a number from 0"},
        {SCENE("'dynamic_viscosity': 2, " VISCOSITY("temperature",
                                                    POINT("1", "1") "," POINT("2", "2"))),
         "dynamic_viscosity_curve: is given together with \"dynamic_viscosity\": remove one"},
        {SCENE("'dynamic_viscosity_curve': {'attribute': 'temperature'}"), "points"},
        {SCENE("'dynamic_viscosity_curve': 3"),
         "dynamic_viscosity_curve: is 3, expected an object"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        assert_int_equal(parse(&fixture, faults[i][0]), WEIR_ERROR_SCENE);
        assert_says(&fixture, faults[i][1]);
    }
}

/* A colour curve keeps the fluid's own colour, for what has no attribute. */
static void colours_are_linear_between_points(void **state)
{
    float colour[3];
    assert_int_equal(
        parse(&fixture, SCENE("'colour': [0, 0, 1], 'colour_curve': {'attribute': 'tint_y', "
                              "'points': [{'value': 0, 'colour': [1, 0, 0]}, {'value': 2, "
                              "'colour': [0, 1, 0.5]}, {'value': 3, 'colour': [0, 0, 0]}]}")),
        WEIR_OK);
    const scene_fluid *fluid = &fixture.scene->fluids[0];
    assert_true(fluid->colour_curve.given && fluid->colour[2] == 1.0f);
    assert_string_equal(fluid->colour_curve.attribute, "tint_y");
    scene_colour_curve_at(&fluid->colour_curve, 0.5f, colour);
    assert_true(colour[0] == 0.75f && colour[1] == 0.25f && colour[2] == 0.125f);
    scene_colour_curve_at(&fluid->colour_curve, -9.0f, colour);
    assert_true(colour[0] == 1.0f && colour[1] == 0.0f);
    scene_colour_curve_at(&fluid->colour_curve, 9.0f, colour);
    assert_true(colour[0] == 0.0f && colour[2] == 0.0f);
    assert_int_equal(
        parse(&fixture, SCENE("'colour_curve': {'attribute': 'temperature', 'points': [{'value': "
                              "0, 'colour': [1, 0, 0]}, {'value': 2, 'colour': [0, 1, 2]}]}")),
        WEIR_ERROR_SCENE);
    assert_says(&fixture, "colour_curve.points[1].colour: is [0, 1, 2], expected");
}

static void the_largest_tension_of_a_curve_is_the_fluids(void **state)
{
    static const char text[] =
        SCENE("'surface_tension_curve': {'attribute': 'temperature', 'points': [{'value': 0, "
              "'surface_tension': 1}, {'value': 1, 'surface_tension': 2}]}");
    const char *const flip[] = {"solver.method=flip", NULL};
    assert_int_equal(parse(&fixture, text), WEIR_OK);
    assert_true(fixture.scene->fluids[0].surface_tension == 2.0f);
    assert_int_equal(parse_in(&fixture, text, ".", flip), WEIR_OK);
    assert_true(fixture.scene->fluids[0].surface_tension == 2.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(viscosity_is_geometric_between_points, clear_fixture),
        cmocka_unit_test_teardown(a_component_is_named, clear_fixture),
        cmocka_unit_test_teardown(the_effective_scene_has_the_same_curve, clear_fixture),
        cmocka_unit_test_teardown(faults_are_named, clear_fixture),
        cmocka_unit_test_teardown(colours_are_linear_between_points, clear_fixture),
        cmocka_unit_test_teardown(the_largest_tension_of_a_curve_is_the_fluids, clear_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
