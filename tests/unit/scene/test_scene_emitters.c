/* Emitters whose speed and position change: the effect of keyframes, and refused settings. */
#include "scene_fixture.h"

#include <math.h>

#define EMITTER(more)                                                                          \
    "'emitters': [{'name': 'e', 'fluid': 'water', 'position': [2, 2, 2], 'direction': [1, 0, " \
    "0], " more "}],\n"
#define ROUND(more) EMITTER("'radius': 0.2, " more)
#define SPEEDS(keys) "'speed_keyframes': [" keys "]"

static const scene_emitter *read(const char *text)
{
    if (parse_with(&fixture, text) != WEIR_OK) fail_msg("%s", messages(&fixture));
    char *json = base_strdup(fixture.scene->json); /* as a run stores it */
    assert_int_equal(parse(&fixture, json), WEIR_OK);
    base_free(json);
    return fixture.scene->emitters;
}

static void speed_goes_straight_between_keyframes_and_is_held_at_the_ends(void **state)
{
    const scene_emitter *e = read(
        ROUND(SPEEDS("{'time': 1, 'speed': 2}, {'time': 3, 'speed': 4}, {'time': 4, 'speed': 0}")));
    static const double times[7] = {0, 1, 2, 3, 3.5, 4, 60}, speeds[7] = {2, 2, 3, 4, 2, 0, 0};
    assert_true(scene_emitter_max_speed(e) == 4.0f);
    for (int i = 0; i < 7; i++)
        assert_true(fabs((double)scene_emitter_speed(e, times[i]) - speeds[i]) < 1e-6);
}

/* Sums the distance that the fluid has left by a time, from speeds at many times. */
static double summed_way(const scene_emitter *e, double until_s)
{
    double sum = 0.0, from = (double)e->start_s, step = (until_s - from) / 20000.0;
    for (int i = 0; i < 20000; i++)
        sum += step * (double)scene_emitter_speed(e, from + (i + 0.5) * step);
    return sum;
}

/* Also holds before the first keyframe, across a pause, and after the last keyframe. */
static void fluid_has_left_for_a_way_when_its_speed_adds_up_to_it(void **state)
{
    const scene_emitter *e =
        read(ROUND("'start': 0.5, " SPEEDS("{'time': 1, 'speed': 0.5}, {'time': 2, 'speed': 3}, "
                                           "{'time': 3, 'speed': 0}, {'time': 5, 'speed': 0}, "
                                           "{'time': 6, 'speed': 1}")));
    double last = 0.0;
    for (int k = 0; k < 20; k++) {
        double way = 0.05 + 0.3 * k, time = scene_emitter_time(e, way);
        assert_true(time > last && !(time > 3.001 && time < 5.0));
        assert_true(fabs(summed_way(e, time) - way) < 1e-3);
        last = time;
    }
    assert_true(last > 6.0);
}

static void nothing_leaves_behind_a_last_speed_of_0(void **state)
{
    const scene_emitter *e =
        read(ROUND(SPEEDS("{'time': 0, 'speed': 2}, {'time': 1, 'speed': 0}")));
    assert_true(fabs(scene_emitter_time(e, 0.75) - 0.5) < 1e-9);
    assert_true(scene_emitter_time(e, 1.01) == INFINITY);
    e = read(ROUND(SPEEDS("{'time': 1, 'speed': 0}, {'time': 2, 'speed': 2}")));
    assert_true(scene_emitter_time(e, 0.0) == 1.0);
}

static void an_emitter_rides_on_a_solid(void **state)
{
    const scene_emitter *e = read(
        "'solids': [{'name': 'arm', 'shape': {'sphere': {'radius': 0.1}, 'position': [1, 3, 3]}, "
        "'motion': {'keyframes': [{'time': 0}, {'time': 2, 'position': [0, 1, 0]}]}}]," ROUND(
            "'speed': 1, 'attached_to': 'arm'"));
    scene_pose pose = scene_motion_pose(&e->motion, 1.0);
    assert_vector(pose.position, 0, 0.5, 0);
    assert_true(e->motion.keys != fixture.scene->solids[0].motion.keys);
    refused(ROUND("'speed': 1, 'attached_to': 'leg'"), "emitters[0].attached_to: ");
    refused("'solids': [{'name': 'arm', 'shape': {'sphere': {'radius': 0.1}}, 'motion': "
            "{'host_driven': true}}]," ROUND("'speed': 1, 'attached_to': 'arm'"),
            "emitters[0].attached_to: names a solid that the host program moves");
    refused("'solids': [{'name': 'arm', 'shape': {'sphere': {'radius': 0.1}}}]," ROUND(
                "'speed': 1, 'attached_to': 'arm', 'motion': {'spin': {'axis': [0, 1, 0], "
                "'rate': 1}}"),
            "emitters[0].attached_to: is given together with \"motion\"");
    refused("'solids': [{'name': 'arm', 'shape': {'sphere': {'radius': 0.1}}, 'motion': "
            "{'keyframes': [{'time': 0}, {'time': 2, 'position': [0, 99, 0]}]}}]," ROUND(
                "'speed': 1, 'attached_to': 'arm'"),
            "emitters[0].attached_to: moves the opening to (2, 101, 2) m, outside the domain");
}

#define BALLS                                                                                \
    "'solids': [{'name': 'arm', 'shape': {'sphere': {'radius': 0.1}, 'position': [1, 3, 3]}" \
    "}],"                                                                                    \
    "'bodies': [{'name': '%s', 'shape': {'sphere': {'radius': 0.1}, 'position': [3, 3, 3]}," \
    "'density': 500}],"
#define DRAIN(keys) "'sinks': [{'name': 'drain', 'shape': {'sphere': {'radius': 0.1}}, " keys "}],"

static void bodies_and_solids_carry_emitters_and_sinks(void **state)
{
    char scene[2048];
    snprintf(scene, sizeof scene,
             BALLS ROUND("'speed': 1, 'attached_to': 'ball'") DRAIN("'attached_to': 'arm'"),
             "ball");
    const scene_emitter *e = read(scene);
    assert_int_equal(e->attached_to.body, 1);
    assert_int_equal(e->attached_to.solid, 0);
    assert_int_equal(fixture.scene->sinks[0].attached_to.solid, 1);
    snprintf(scene, sizeof scene, BALLS ROUND("'speed': 1, 'attached_to': 'bell'"), "ball");
    refused(scene, "emitters[0].attached_to: is \"bell\", expected the name of a solid or a body "
                   "of this scene; did you mean \"ball\"?");
    snprintf(scene, sizeof scene, BALLS ROUND("'speed': 1, 'attached_to': 'arm'"), "arm");
    refused(scene, "emitters[0].attached_to: is the name of a solid and of a body; rename one");
    refused(ROUND("'speed': 1") DRAIN("'motion': {'host_driven': true}"),
            "sinks[0].motion: is host_driven, which a sink cannot be: attach it to a solid");
}

static void an_opening_moves_as_a_solid_does(void **state)
{
    const scene_emitter *e = read(ROUND(
        "'speed': 1, 'motion': {'spin': {'axis': [0, 0, 1], 'rate': 2, 'centre': [2, 2, 2]}}"));
    assert_int_equal(e->motion.kind, SCENE_MOTION_SPIN);
    e = read(ROUND("'speed': 1, 'motion': {'host_driven': true}"));
    assert_int_equal(e->motion.kind, SCENE_MOTION_HOST_DRIVEN);
    e = read(ROUND("'speed': 1"));
    assert_int_equal(e->motion.kind, SCENE_MOTION_STATIC);
}

#define MOVED(keys) ROUND("'speed': 1, 'motion': {'keyframes': [" keys "]}")
#define PLANAR "'solver': {'dimensions': 2},\n"

static void faults_name_what_is_wrong(void **state)
{
    static const char *const faults[][2] = {
        {ROUND("'start': 1"), "test.json:1:15: emitters[0]: expected one of speed, speed_keyf"},
        {ROUND("'speed': 1, " SPEEDS("{'time': 0, 'speed': 1}")),
         "flow_rate and flow_rate_keyframes, found 2 of them"},
        {ROUND(SPEEDS("")), "emitters[0].speed_keyframes: is empty, expected at least one"},
        {ROUND(SPEEDS("{'time': 0}")), "emitters[0].speed_keyframes[0].speed: is missing"},
        {ROUND(SPEEDS("{'time': 0, 'speed': -1}")), "emitters[0].speed_keyframes[0].speed: is -1"},
        {ROUND(SPEEDS("{'time': 0, 'speed': 0}")), "emitters[0].speed_keyframes: has no speed"},
        {ROUND(SPEEDS("{'time': 1, 'speed': 1}, {'time': 1, 'speed': 2}")),
         "emitters[0].speed_keyframes[1].time: is 1 s, expected more than the 1 s of the previous "
         "keyframe"},
        {ROUND("'motion': {'host_driven': true}, " SPEEDS("{'time': 0, 'speed': 1}")),
         "emitters[0].speed_keyframes: conflicts with \"motion\": {\"host_driven\": true}"},
        {MOVED("{'time': 0}, {'time': 1, 'position': [0, 3, 0]}"),
         "emitters[0].motion.keyframes[1]: moves the opening to (2, 5, 2) m, outside the domain"},
        {PLANAR ROUND("'speed': 1, 'motion': {'spin': {'axis': [1, 0, 0], 'rate': 1}}"),
         "emitters[0].motion: turns the opening out of the xy plane"},
        {PLANAR MOVED("{'time': 0, 'rotation': {'axis': [0, 1, 0], 'angle': 5}}"),
         "emitters[0].motion: turns the opening out of the xy plane"},
    };
    assert_refused(&fixture, faults, sizeof faults / sizeof *faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(speed_goes_straight_between_keyframes_and_is_held_at_the_ends,
                                  clear_fixture),
        cmocka_unit_test_teardown(fluid_has_left_for_a_way_when_its_speed_adds_up_to_it,
                                  clear_fixture),
        cmocka_unit_test_teardown(nothing_leaves_behind_a_last_speed_of_0, clear_fixture),
        cmocka_unit_test_teardown(an_emitter_rides_on_a_solid, clear_fixture),
        cmocka_unit_test_teardown(bodies_and_solids_carry_emitters_and_sinks, clear_fixture),
        cmocka_unit_test_teardown(an_opening_moves_as_a_solid_does, clear_fixture),
        cmocka_unit_test_teardown(faults_name_what_is_wrong, clear_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
