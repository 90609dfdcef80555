/* Camera positions from keyframes. */
#include "scene_fixture.h"

#include <math.h>

#define CAMERA(more) "'camera': {'eye': [1, 2, 3], 'target': [1, 0, 0], 'fov': 30" more "},"
#define KEYS                                                                     \
    ", 'keyframes': [{'time': 1, 'eye': [0, 1, 5]}, {'time': 3, 'eye': [4, 1, "  \
    "5], 'fov': 50}, {'time': 4, 'eye': [5, 1, 5], 'fov': 50, 'target': [2, 0, " \
    "0]}, {'time': 6, 'eye': [5, 1, 5], 'fov': 50, 'target': [2, 0, 0]}]"

static scene_camera_key at(double time_s)
{
    return scene_camera_at(&fixture.scene->camera, time_s);
}

static void assert_near(float value, double expected)
{
    if (fabs((double)value - expected) > 1e-5) fail_msg("%g, expected %g", (double)value, expected);
}

static void a_camera_without_keyframes_stays(void **state)
{
    assert_int_equal(parse_with(&fixture, CAMERA("")), WEIR_OK);
    for (double time = 0; time < 3; time++) {
        assert_near(at(time).eye.z, 3);
        assert_near(at(time).target.x, 1);
        assert_near(at(time).fov_y, 30);
    }
}

static void it_is_at_each_keyframe_at_its_time_and_held_at_the_ends(void **state)
{
    assert_int_equal(parse_with(&fixture, CAMERA(KEYS)), WEIR_OK);
    static const double times[6] = {-1, 1, 3, 4, 6, 60}, eyes[6] = {0, 0, 4, 5, 5, 5};
    static const double fovs[6] = {30, 30, 50, 50, 50, 50}, targets[6] = {1, 1, 1, 2, 2, 2};
    for (int i = 0; i < 6; i++) {
        assert_near(at(times[i]).eye.x, eyes[i]);
        assert_near(at(times[i]).fov_y, fovs[i]);
        assert_near(at(times[i]).target.x, targets[i]);
    }
}

/* The speed never jumps. Nothing overshoots, and between two equal keyframes the camera is
   still. */
static void smooth_motion_has_no_jerk_and_does_not_overshoot(void **state)
{
    /* in speed; the largest acceleration here is 6 m/s2 */
    const double step = 1e-3, change = 8 * step;
    assert_int_equal(parse_with(&fixture, CAMERA(KEYS)), WEIR_OK);
    double last = 0, x = 0;
    for (double time = 0; time < 7; time += step) {
        scene_camera_key key = at(time);
        double speed = ((double)key.eye.x - x) / step;
        assert_true(speed >= -1e-3 && fabs(speed - last) < change + 2e-3);
        assert_true(key.fov_y <= 50 && key.eye.x <= 5);
        if (time > 4.01) assert_near(key.eye.x, 5);
        last = speed;
        x = (double)key.eye.x;
    }
    /* The harmonic mean of the speeds on both sides, weighted by the lengths of the two
       intervals. */
    double speed = ((double)at(3.001).eye.x - (double)at(2.999).eye.x) / 0.002;
    assert_true(fabs(speed - 9 / (4.0 / 2 + 5.0 / 1)) < 5e-3);
}

static void linear_motion_is_even(void **state)
{
    assert_int_equal(parse_with(&fixture, CAMERA(KEYS ", 'interpolation': 'linear'")), WEIR_OK);
    assert_near(at(1.5).eye.x, 1);
    assert_near(at(2.5).fov_y, 45);
    assert_near(at(3.25).target.x, 1.25);
}

static void faults_name_their_line_and_column(void **state)
{
    static const struct {
        const char *keys, *says;
    } faults[] = {
        {", 'keyframes': []", "test.json:1:76: camera.keyframes: is empty"},
        {", 'keyframes': 3", "camera.keyframes: is 3, expected an array"},
        {", 'keyframes': [{'eye': [0, 0, 1]}]", "camera.keyframes[0].time: is missing"},
        {",\n 'keyframes': [{'time': 2},\n  {'time': 2}]",
         "test.json:3:12: camera.keyframes[1].time: is 2 s, expected more than the 2 s of the"},
        {", 'keyframes': [{'time': 2, 'fov': 0}]", "keyframes[0].fov: is 0, expected"},
        {", 'keyframes': [{'time': 2, 'eyes': [0, 0, 1]}]", "did you mean \"eye\"?"},
        {", 'keyframes': [{'time': 2, 'eye': [1, 0, 0]}]", "keyframes[0]: defines no view"},
        {",\n'keyframes': [{'time': 1, 'eye': [0, 0, 0]},\n{'time': 2, 'eye': [2, 0, 0]}]",
         "test.json:3:1: camera.keyframes[1]: cannot be reached from the previous keyframe"},
        {", 'interpolation': 'spline'", "interpolation: is \"spline\", expected one of \"smooth\""},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char text[512];
        snprintf(text, sizeof text, CAMERA("%s"), faults[i].keys);
        assert_int_equal(parse_with(&fixture, text), WEIR_ERROR_SCENE);
        assert_says(&fixture, faults[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_camera_without_keyframes_stays, clear_fixture),
        cmocka_unit_test_teardown(it_is_at_each_keyframe_at_its_time_and_held_at_the_ends,
                                  clear_fixture),
        cmocka_unit_test_teardown(smooth_motion_has_no_jerk_and_does_not_overshoot, clear_fixture),
        cmocka_unit_test_teardown(linear_motion_is_even, clear_fixture),
        cmocka_unit_test_teardown(faults_name_their_line_and_column, clear_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
