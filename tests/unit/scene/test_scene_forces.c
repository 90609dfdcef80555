/* Force fields of a scene, and numbers with keyframes. */
#include "scene_fixture.h"

#include <math.h>

#define FORCE(force) "'forces': [" force "],"
#define CURVE "'type': 'curve', 'points': [[0, 0, 0], [1, 0, 0]], 'radius': 0.3"

static const scene_force *read_force(const char *text)
{
    assert_int_equal(parse_with(&fixture, text), WEIR_OK);
    assert_int_equal(fixture.scene->force_count, 1);
    return fixture.scene->forces;
}

/* ---- fields -----------------------------------------------------------------------------------
 */

static void noise_has_defaults(void **state)
{
    const scene_force *f = read_force(FORCE("{'type': 'noise', 'amplitude': 2, 'size': 0.5}"));
    assert_true(f->kind == SCENE_FORCE_NOISE && scene_force_is_sampled(f));
    assert_true(f->amplitude == 2.0f && f->size == 0.5f && f->evolution == 0.5f);
    assert_int_equal(f->octaves, 1);
    assert_int_equal(f->seed, 1);
}

static void a_curve_has_its_points(void **state)
{
    const scene_force *f = read_force(
        FORCE("{" CURVE ", 'strength': 50, 'rate': 4, 'speed': -1, 'swirl': 2, 'closed': true}"));
    assert_int_equal(f->point_count, 2);
    assert_vector(f->points[1], 1, 0, 0);
    assert_true(f->closed && f->strength == 50.0f && f->speed == -1.0f && f->swirl == 2.0f);
}

static void a_shape_is_read(void **state)
{
    const scene_force *f = read_force(FORCE(
        "{'type': 'shape', 'shape': {'sphere': {'radius': 0.4}}, 'strength': 90, 'rate': 3}"));
    assert_true(f->shape < fixture.scene->shape_count);
    assert_true(f->strength == 90.0f && f->rate == 3.0f && f->radius == 0.0f);
}

static void the_effective_scene_has_the_same_fields(void **state)
{
    read_force(FORCE("{" CURVE ", 'rate': 4, 'speed_keyframes': [{'time': 1, 'speed': 2}]}"));
    char *json = base_strdup(fixture.scene->json);
    assert_int_equal(parse(&fixture, json), WEIR_OK);
    assert_true(fixture.scene->forces[0].speed == 2.0f);
    assert_int_equal(fixture.scene->track_count, 1);
    base_free(json);
}

static void faults_are_named(void **state)
{
    static const char *const faults[][2] = {
        {FORCE("{'type': 'noise', 'amplitude': 1}"),
         "forces[0]: a field of type \"noise\" needs size"},
        {FORCE("{'type': 'noise', 'amplitude': 1, 'size': 0.01}"),
         "forces[0].size: is 0.01 m, expected at least 2 spacings"},
        {FORCE("{'type': 'noise', 'amplitude': 1, 'size': 1, 'octaves': 7}"),
         "forces[0].octaves: is 7, expected an integer from 1 to 6"},
        {FORCE("{'type': 'noise', 'amplitude': 1, 'size': 1, 'strength': 3}"),
         "forces[0].strength: does not apply to a field of type \"noise\": remove it"},
        {FORCE("{" CURVE "}"), "forces[0]: does nothing: expected strength"},
        {FORCE("{" CURVE ", 'strength': 1, 'speed': 2}"), "which fluid approaches at rate"},
        {FORCE("{'type': 'curve', 'points': [[0, 0, 0]], 'radius': 1, 'strength': 1}"),
         "forces[0].points: has 1 point, expected at least 2"},
        {FORCE("{'type': 'curve', 'points': [[0, 0, 0], [0, 0]], 'radius': 1, 'strength': 1}"),
         "forces[0].points[1]: is [0, 0], expected"},
        {FORCE("{'type': 'curve', 'points': [[0, 0, 0], [0, 0, 0]], 'radius': 1, 'strength': 1}"),
         "forces[0].points[1]: is the same point as the one before it"},
        {FORCE("{'type': 'velocity_field', 'file': 'none.npy', 'rate': 2, 'inside': {'min': [0, 0, "
               "0], 'max': [1, 1, 1]}}"),
         "forces[0].file: no file \"none.npy\""},
        {FORCE("{'type': 'velocity_field', 'rate': 2}"), "needs file"},
        {FORCE("{'type': 'shape', 'strength': 2}"), "needs shape"},
        {FORCE("{'type': 'shape', 'shape': {'cube': {}}, 'strength': 2}"), "forces[0].shape"},
    };
    assert_refused(&fixture, faults, sizeof faults / sizeof *faults);
}

/* ---- keyframes --------------------------------------------------------------------------------
 */

static float viscosity_at(double time_s)
{
    scene_moment moment;
    scene_at_time(fixture.scene, time_s, &moment);
    return moment.scene.fluids[0].dynamic_viscosity;
}

static void numbers_follow_their_keyframes(void **state)
{
    assert_int_equal(
        parse(&fixture,
              "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1], "
              "'friction_keyframes': [{'time': 0, 'friction': 0.5}]}, 'fluids': [{'name': 'wax', "
              "'fill': "
              "{'shape': {'sphere': {'radius': 0.3}}}, "
              "'dynamic_viscosity_keyframes': [{'time': 1, 'dynamic_viscosity': 10}, {'time': 3, "
              "'dynamic_viscosity': 2}, {'time': 5, 'dynamic_viscosity': 8}]}], 'forces': "
              "[{'type': 'uniform', "
              "'acceleration_keyframes': [{'time': 0, 'acceleration': [1, 0, 0]}, {'time': 4, "
              "'acceleration': [3, 0, 8]}]}]}"),
        WEIR_OK);
    const scene_data *scene = fixture.scene;
    scene_moment moment;
    assert_int_equal(scene->track_count, 3);
    assert_true(scene->fluids[0].dynamic_viscosity == 10.0f); /* the largest */
    assert_true(viscosity_at(0) == 10.0f && viscosity_at(1) == 10.0f);
    assert_true(fabsf(viscosity_at(2.5) - 4.0f) < 1e-6f);
    assert_true(viscosity_at(3) == 2.0f && fabsf(viscosity_at(4.5) - 6.5f) < 1e-6f);
    assert_true(viscosity_at(9) == 8.0f);
    scene_at_time(scene, 1.0, &moment);
    assert_vector(moment.scene.forces[0].acceleration, 1.5, 0, 2);
    assert_true(moment.scene.domain.friction == 0.5f);
    assert_vector(scene->forces[0].acceleration, 3, 0, 8);
}

static void faults_of_keyframes_are_named(void **state)
{
    static const char *const faults[][2] = {
        {FORCE("{'type': 'uniform', 'acceleration': [0, 0, 0], 'acceleration_keyframes': [{'time': "
               "0, 'acceleration': [1, 0, 0]}]}"),
         "forces[0].acceleration_keyframes: is given together with \"acceleration\""},
        {FORCE("{'type': 'uniform', 'acceleration_keyframes': []}"),
         "forces[0].acceleration_keyframes: is empty, expected at least one keyframe"},
        {FORCE("{'strength_keyframes': [{'time': 1, 'strength': 1}, {'time': 1, 'strength': 2}]}"),
         "forces[0].strength_keyframes[1].time: is 1 s, expected more than the 1 s"},
        {FORCE("{'strength_keyframes': [{'time': 1, 'strength': 1e9}]}"),
         "forces[0].strength_keyframes[0].strength: is 1e+09, expected"},
        {FORCE("{'strength_keyframes': [{'time': 1, 'value': 1}]}"),
         "forces[0].strength_keyframes[0].value: unknown key"},
        {FORCE("{'type': 'noise', 'size': 1, 'amplitude': 1, 'size_keyframes': []}"),
         "forces[0].size_keyframes: unknown key"},
        {"'solver': {'method': 'flip', 'vorticity_confinement_keyframes': [{'time': 0, "
         "'vorticity_confinement': 1}]},",
         "solver.vorticity_confinement_keyframes: is "},
    };
    assert_refused(&fixture, faults, sizeof faults / sizeof *faults);
}

static void keyframes_are_live(void **state)
{
    scene_fixture other = {0};
    const char *const format[] = {
        FORCE("{'strength_keyframes': [{'time': 0, 'strength': 1}]}"),
        FORCE("{'strength_keyframes': [{'time': 0, 'strength': 2}]}"),
        FORCE("{'strength': 2, 'centre': [1, 0, 0]}"),
    };
    assert_int_equal(parse_with(&fixture, format[0]), WEIR_OK);
    assert_int_equal(parse_with(&other, format[1]), WEIR_OK);
    assert_true(scene_differs_only_live(fixture.scene, other.scene));
    assert_int_equal(parse_with(&other, format[2]), WEIR_OK);
    assert_false(scene_differs_only_live(fixture.scene, other.scene));
    scene_clear(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(noise_has_defaults, clear_fixture),
        cmocka_unit_test_teardown(a_curve_has_its_points, clear_fixture),
        cmocka_unit_test_teardown(a_shape_is_read, clear_fixture),
        cmocka_unit_test_teardown(the_effective_scene_has_the_same_fields, clear_fixture),
        cmocka_unit_test_teardown(faults_are_named, clear_fixture),
        cmocka_unit_test_teardown(numbers_follow_their_keyframes, clear_fixture),
        cmocka_unit_test_teardown(faults_of_keyframes_are_named, clear_fixture),
        cmocka_unit_test_teardown(keyframes_are_live, clear_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
