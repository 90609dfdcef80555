/* What a picture of a scene should show, how much fluid is there, and whether a solid holds it. */
#include "scene_fixture.h"
#include "scene_query.h"

#include <math.h>

#define SCENE(more) \
    "{'domain': {'min': [0, 0, 0], 'max': [4, 2, 2]}, 'spacing': 0.05, 'duration': 2, " more "}"
#define FILLED(shape, more) \
    SCENE("'fluids': [{'name': 'water', 'fill': {'shape': " shape "}}]" more)
#define CUP(height, radius)                                                                        \
    ", 'solids': [{'name': 'cup', 'shape': {'difference': [{'cylinder': {'radius': " radius        \
    ", 'height': " height "}, 'position': [2, 0.25, 1]}, {'cylinder': {'radius': 0.35, 'height': " \
    "0.5}, 'position': [2, 0.3, 1]}]}}]"
#define DISC "{'cylinder': {'radius': 0.3, 'height': 0.2}, 'position': [2, 0.2, 1]}"

static scene_subject subject_of(const char *text)
{
    if (parse(&fixture, text) != WEIR_OK) fail_msg("%s", messages(&fixture));
    return scene_find_subject(fixture.scene, NULL);
}

static void assert_near(float value, double expected)
{
    if (fabs((double)value - expected) > 1e-4 * fabs(expected) + 1e-5)
        fail_msg("%g, expected %g", (double)value, expected);
}

static void volume_and_depth_are_those_of_the_fills(void **state)
{
    scene_subject box = subject_of(FILLED("{'box': {'min': [0, 0, 0], 'max': [1, 0.5, 2]}}", ""));
    assert_near(box.volume_m3, 1.0);
    assert_near(box.depth_m, 1.0 / 8.0); /* over the floor of 4 m x 2 m */
    scene_subject cut = subject_of(FILLED("{'box': {'min': [-1, 0, 0], 'max': [1, 0.5, 2]}}", ""));
    assert_near(cut.volume_m3, 1.0); /* outside the domain is no fluid */
    scene_subject ball =
        subject_of(FILLED("{'sphere': {'radius': 0.25}, 'scale': 2, 'position': [2, 1, 1]}", ""));
    assert_near(ball.volume_m3, 4.0 / 3.0 * 3.14159265358979 * 0.125);
    scene_subject both = subject_of(FILLED("{'union': [{'box': {'size': [0.5, 0.5, 0.5]}}, {'box': "
                                           "{'size': [1, 0.2, 1]}}], 'position': [2, 1, 1]}",
                                           ""));
    assert_near(both.volume_m3, 0.125 + 0.2);
}

static void emitters_add_what_they_give_over_the_run(void **state)
{
    scene_subject jet = subject_of(
        SCENE("'fluids': [{'name': 'water'}], 'emitters': [{'name': 'jet', 'fluid': 'water', "
              "'position': [2, 0.1, 1], 'direction': [0, 1, 0], 'radius': 0.1, 'speed': 4, 'end': "
              "1.5}]"));
    assert_near(jet.volume_m3, 3.14159265358979 * 0.01 * 4 * 1.5);
    assert_near(jet.max.y, 0.2 + 16.0 / (2 * 9.81)); /* the opening's upper edge and the rise */
    assert_near(jet.min.x, 1.9);
    assert_near(jet.min.y, 0.0);
}

static void free_fluid_spreads_by_three_heights_and_held_fluid_does_not(void **state)
{
    scene_subject loose = subject_of(FILLED(DISC, ""));
    assert_false(loose.held);
    assert_near(loose.min.x, 1.7 - 0.9);
    assert_near(loose.max.z, 2.0); /* the domain ends there */
    scene_subject held = subject_of(FILLED(DISC, CUP("0.5", "0.4")));
    assert_true(held.held);
    assert_near(held.depth_m, 0.2);
    assert_near(held.min.x, 1.6);
    assert_near(held.max.x, 2.4);
    assert_near(held.max.y, 0.5);
}

static void a_solid_that_is_narrower_or_lower_than_the_fluid_holds_nothing(void **state)
{
    assert_false(subject_of(FILLED(DISC, CUP("0.5", "0.29"))).held);
    assert_false(subject_of(FILLED(DISC, CUP("0.05", "0.4"))).held);
}

static void a_ground_as_large_as_the_domain_is_no_subject(void **state)
{
    scene_subject found = subject_of(
        FILLED(DISC, ", 'solids': [{'name': 'ground', 'shape': {'box': {'min': [-1, -1, -1], "
                     "'max': [5, 1.5, 3]}}}]"));
    assert_false(found.held);
    assert_near(found.max.y, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volume_and_depth_are_those_of_the_fills),
        cmocka_unit_test(emitters_add_what_they_give_over_the_run),
        cmocka_unit_test(free_fluid_spreads_by_three_heights_and_held_fluid_does_not),
        cmocka_unit_test(a_solid_that_is_narrower_or_lower_than_the_fluid_holds_nothing),
        cmocka_unit_test(a_ground_as_large_as_the_domain_is_no_subject),
    };
    return cmocka_run_group_tests(tests, NULL, clear_fixture);
}
