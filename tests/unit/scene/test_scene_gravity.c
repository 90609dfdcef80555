/* Gravity from keyframes. */
#include "scene_fixture.h"

#include <math.h>

#define KEYS(keys) "'gravity_keyframes': [" keys "],"

static vec3 at(double time_s)
{
    return scene_gravity_at(fixture.scene, time_s);
}

/* Parses the scene as a run stores it. */
static void parse_effective(void)
{
    char *json = base_strdup(fixture.scene->json);
    assert_int_equal(parse(&fixture, json), WEIR_OK);
    base_free(json);
}

static void without_keyframes_it_does_not_change(void **state)
{
    assert_int_equal(parse_with(&fixture, "'gravity': [0, -2, 0],"), WEIR_OK);
    parse_effective();
    for (double time = -1; time < 3; time++)
        assert_true(at(time).y == -2.0f);
}

static void it_goes_straight_between_keyframes_and_is_held_at_the_ends(void **state)
{
    static const char keys[] =
        KEYS("{'time': 1, 'gravity': [0, -10, 0]}, {'time': 3, 'gravity': [4, -8, 0]},"
             "{'time': 4, 'gravity': [0, 0, 0]}");
    assert_int_equal(parse_with(&fixture, keys), WEIR_OK);
    parse_effective();
    static const double times[6] = {-1, 1, 2, 3, 3.5, 60}, x[6] = {0, 0, 2, 4, 2, 0},
                        y[6] = {-10, -10, -9, -8, -4, 0};
    for (int i = 0; i < 6; i++) {
        assert_true(fabs((double)at(times[i]).x - x[i]) < 1e-5);
        assert_true(fabs((double)at(times[i]).y - y[i]) < 1e-5);
    }
}

static void faults_name_what_is_wrong(void **state)
{
    static const char *const faults[][2] = {
        {KEYS(""), "is empty, expected at least one keyframe"},
        {KEYS("{'time': 1}"), "gravity"},
        {KEYS("{'time': 1, 'gravity': [0, 0, 0]}, {'time': 1, 'gravity': [1, 0, 0]}"),
         "is 1 s, expected more than the 1 s of the previous keyframe"},
        {KEYS("{'time': 1, 'gravity': [0, 0, 2]}") "'solver': {'dimensions': 2},",
         "points out of the xy plane: z is 2 m/s2, but there is no motion along z with "
         "solver.dimensions 2; set it to 0"},
    };
    assert_refused(&fixture, faults, sizeof faults / sizeof *faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(without_keyframes_it_does_not_change, clear_fixture),
        cmocka_unit_test_teardown(it_goes_straight_between_keyframes_and_is_held_at_the_ends,
                                  clear_fixture),
        cmocka_unit_test_teardown(faults_name_what_is_wrong, clear_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
