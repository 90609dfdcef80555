/* Gravity that changes by keyframes. */
#include "body_support.h"
#include "device_support.h"

#define KEYS(...) "'gravity_keyframes': [" __VA_ARGS__ "],"
#define KEY(time, x, y) "{'time': " #time ", 'gravity': [" #x ", " #y ", 0]}"

#define SCENE(low, high)                                                                      \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 4, 1]},"                       \
    " 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {'min': [" low "], 'max': [" high \
    "]}}}}],"
/* It falls freely for the duration of the test. */
#define FALLING SCENE("0.8, 3, 0.4", "1, 3.2, 0.6")
/* It lies in a corner, towards which gravity tips. */
#define RESTING SCENE("1.8, 0, 0.8", "2, 0.1, 1")

static double speed_along(sim_world *world, int axis)
{
    uint32_t count;
    vec3 *v = read_vectors(world, WEIR_FIELD_VELOCITY, &count);
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += (double)(axis ? v[i].y : v[i].x);
    base_free(v);
    return sum / count;
}

/* Zero at 0.1 s, 6 m/s2 at 0.3 s, then along x at once. A frame uses the gravity of its middle,
   so linear ramps integrate exactly. */
static void a_drop_falls_as_the_keyframes_say(void **state)
{
    scene_data *scene = make_scene(
        FALLING KEYS(KEY(0.1, 0, 0) "," KEY(0.3, 0, -6) "," KEY(0.30001, 3, 0)) "'frame_rate': 60}",
        NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 6);
    assert_between("before the first, m/s", speed_along(world, 1), -1e-4, 1e-4);
    run_frames(world, 12);
    assert_between("between two, m/s", speed_along(world, 1), -0.6 - 1e-3, -0.6 + 1e-3);
    run_frames(world, 6);
    assert_between("behind the last, m/s", speed_along(world, 1), -0.6 - 1e-3, -0.6 + 1e-3);
    assert_between("along x, m/s", speed_along(world, 0), 0.3 - 1e-3, 0.3 + 1e-3);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* A box sleeps on the floor until gravity tips at 1 s. */
static const char asleep[] = RESTING KEYS(KEY(0, 0, -9.81) "," KEY(1, 0, -9.81) "," KEY(
    1.1, 8,
    -9.81)) "'bodies': [{'name': 'box', 'density': 700, 'shape': {'box': {'size': [0.3, 0.3, 0.3]},"
            " 'position': [0.5, 0.15, 0.5]}}]}";

static void a_body_that_sleeps_wakes_when_gravity_tips(void **state)
{
    scene_data *scene = make_scene(asleep, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 58);
    assert_true(read_body(world, 0).asleep);
    run_frames(world, 4);
    assert_false(read_body(world, 0).asleep);
    run_frames(world, 10);
    assert_true(read_body(world, 0).velocity[0] > 0.1f);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* Also holds when the state was saved long after the first keyframe: bodies are woken by the
   change from the previous frame, not from the start. */
static void a_run_goes_on_from_a_checkpoint(void **state)
{
    static const char path[] = "test_gravity.weir";
    uint64_t hash[2];
    scene_data *scene = make_scene(asleep, NULL);
    for (int run = 0; run < 2; run++) {
        sim_world *world = make_sim(device, scene);
        if (run == 0) run_frames(world, 64);
        if (run == 0) OK(sim_save(world, path, NULL));
        if (run == 1) OK(sim_restore(world, path, NULL));
        run_frames(world, 8);
        OK(sim_hash(world, &hash[run]));
        sim_destroy(&world);
    }
    remove(path);
    assert_true(hash[0] == hash[1]);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drop_falls_as_the_keyframes_say),
        cmocka_unit_test(a_body_that_sleeps_wakes_when_gravity_tips),
        cmocka_unit_test(a_run_goes_on_from_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
