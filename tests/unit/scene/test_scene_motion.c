/* Positions of solids that a motion moves. */
#include "scene_fixture.h"

#define PI 3.14159265358979

static vec3 moved(const scene_motion *motion, double time_s, vec3 point)
{
    scene_pose pose = scene_motion_pose(motion, time_s);
    assert_float_equal(pose.scale, 1, 0);
    return vec3_add(pose.position, quat_rotate(pose.rotation, point));
}

static void a_static_solid_stays(void **state)
{
    const scene_motion motion = {.end_s = 1e6f};
    assert_vector(moved(&motion, 12, vec3_make(1, 2, 3)), 1, 2, 3);
}

static void keyframes_are_joined_evenly_and_held_at_the_ends(void **state)
{
    scene_pose_key keys[4] = {
        {1, {0, 0, 0}, {0, 0, 0, 1}},
        {2, {2, 0, 0}, quat_from_axis_angle(vec3_make(0, 0, 1), (float)PI / 2)},
        {4, {2, 4, 0}, quat_from_axis_angle(vec3_make(0, 0, 1), (float)PI / 2)},
        {5, {2, 4, 6}, {0, 0, 0, 1}},
    };
    const scene_motion motion = {
        .kind = SCENE_MOTION_KEYFRAMES, .keys = keys, .key_count = 4, .end_s = 1e6f};
    vec3 x = vec3_make(1, 0, 0);
    assert_vector(moved(&motion, 0, x), 1, 0, 0);
    assert_vector(moved(&motion, 1, x), 1, 0, 0);
    assert_vector(moved(&motion, 1.5, x), 1 + sqrt(0.5), sqrt(0.5), 0);
    assert_vector(moved(&motion, 2, x), 2, 1, 0);
    assert_vector(moved(&motion, 3, x), 2, 3, 0);
    assert_vector(moved(&motion, 4.5, x), 2 + sqrt(0.5), 4 + sqrt(0.5), 3);
    assert_vector(moved(&motion, 9, x), 3, 4, 6);
}

static void oscillation_follows_its_sine_and_rocks_about_its_centre(void **state)
{
    const scene_motion motion = {.kind = SCENE_MOTION_OSCILLATION,
                                 .amplitude = {0.5f, 0, 0},
                                 .rotation_amplitude = {0, 0, (float)PI / 2},
                                 .centre = {0, 1, 0},
                                 .frequency_hz = 0.5f,
                                 .start_s = 1,
                                 .end_s = 1e6f};
    vec3 point = vec3_make(0, 0, 0);
    assert_vector(moved(&motion, 0, point), 0, 0, 0);
    assert_vector(moved(&motion, 1, point), 0, 0, 0);
    assert_vector(moved(&motion, 1.5, point), 0.5 + 1, 1, 0);
    assert_vector(moved(&motion, 2, point), 0, 0, 0);
    assert_vector(moved(&motion, 2.5, point), -0.5 - 1, 1, 0);
    double swing = sin(PI * 0.25);
    assert_vector(moved(&motion, 1.25, point), 0.5 * swing + sin(PI / 2 * swing),
                  1 - cos(PI / 2 * swing), 0);
}

static void phase_shifts_the_sine(void **state)
{
    const scene_motion motion = {.kind = SCENE_MOTION_OSCILLATION,
                                 .amplitude = {0, 2, 0},
                                 .frequency_hz = 1,
                                 .phase = (float)PI / 2,
                                 .end_s = 1e6f};
    assert_vector(moved(&motion, 0, (vec3){0}), 0, 2, 0);
    assert_vector(moved(&motion, 0.5, (vec3){0}), 0, -2, 0);
}

static void spin_turns_about_its_centre_and_stops_at_its_end(void **state)
{
    const scene_motion motion = {.kind = SCENE_MOTION_SPIN,
                                 .spin = {0, (float)PI, 0},
                                 .centre = {1, 0, 0},
                                 .start_s = 2,
                                 .end_s = 3};
    vec3 point = vec3_make(2, 5, 0);
    assert_vector(moved(&motion, 1, point), 2, 5, 0);
    assert_vector(moved(&motion, 2.5, point), 1, 5, -1);
    assert_vector(moved(&motion, 3, point), 0, 5, 0);
    assert_vector(moved(&motion, 30, point), 0, 5, 0);
}

static void spin_stays_exact_over_a_long_run(void **state)
{
    const scene_motion motion = {
        .kind = SCENE_MOTION_SPIN, .spin = {0, 0, (float)(2 * PI)}, .end_s = 1e6f};
    /* The rate is a float, so whole turns take this long. */
    double period = 2 * PI / (double)motion.spin.z;
    assert_vector(moved(&motion, 1e5 * period, vec3_make(1, 0, 0)), 1, 0, 0);
    assert_vector(moved(&motion, (1e5 + 0.25) * period, vec3_make(1, 0, 0)), 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_static_solid_stays),
        cmocka_unit_test(keyframes_are_joined_evenly_and_held_at_the_ends),
        cmocka_unit_test(oscillation_follows_its_sine_and_rocks_about_its_centre),
        cmocka_unit_test(phase_shifts_the_sine),
        cmocka_unit_test(spin_turns_about_its_centre_and_stops_at_its_end),
        cmocka_unit_test(spin_stays_exact_over_a_long_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
