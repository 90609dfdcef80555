/* Towers of bodies stand. */
#include "device_support.h"
#include "sim_support.h"

#define BOXES 10u
#define EDGE 0.08f /* m, 4 spacings */

/* Ten boxes on each other, each off the tower's middle by at most a tenth of a spacing. */
static scene_data *make_tower(void)
{
    static const char head[] =
        "{'spacing': 0.02, 'domain': {'min': [0, 0, 0], 'max': [0.4, 1, 0.4]}, 'fluids': [{"
        "'name': 'drop', 'fill': {'shape': {'box': {'min': [0.36, 0, 0.36],"
        " 'max': [0.4, 0.04, 0.4]}}}}], 'bodies': [";
    base_text text = {0};
    assert_true(base_text_append(&text, "%s", head));
    for (uint32_t i = 0; i < BOXES; i++) {
        double x = 0.18 + 0.002 * (2.0 * (double)base_unit(2 * i) - 1.0);
        double z = 0.18 + 0.002 * (2.0 * (double)base_unit(2 * i + 1) - 1.0);
        assert_true(base_text_append(
            &text,
            "%s{'name': 'box %u', 'density': 700, 'shape': {'box': {'size': [%g, %g, %g]},"
            " 'position': [%g, %g, %g]}}",
            i ? ", " : "", i, (double)EDGE, (double)EDGE, (double)EDGE, x,
            ((double)i + 0.5) * (double)EDGE, z));
    }
    assert_true(base_text_append(&text, "]}"));
    scene_data *scene = make_scene(text.items, NULL);
    BASE_ARRAY_FREE(&text);
    return scene;
}

static void a_tower_of_ten_boxes_stands_for_ten_seconds(void **state)
{
    (void)state;
    scene_data *scene = make_tower();
    sim_world *world = make_sim(device, scene);
    weir_body start[BOXES], end[BOXES];
    uint32_t count = BOXES;
    double slip = 0.0, d = 0.02;
    OK(sim_bodies(world, start, &count));
    run_frames(world, 600);
    OK(sim_bodies(world, end, &count));
    for (uint32_t i = 0; i < BOXES; i++)
        slip = fmax(slip, hypot((double)(end[i].position[0] - start[i].position[0]),
                                (double)(end[i].position[2] - start[i].position[2])));
    double sunk = (double)(start[BOXES - 1].position[1] - end[BOXES - 1].position[1]);
    assert_between("the top has sunk, d", sunk / d, -0.05, 0.3);
    assert_between("the boxes have slipped at most, d", slip / d, 0.0, 1.0);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tower_of_ten_boxes_stands_for_ten_seconds),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
