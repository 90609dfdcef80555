/* Checks that an inflow from a mesh raises the level of a tank by the volume that it emits. */
#include "device_support.h"
#include "scene_text.h"
#include "sim_support.h"

/* 3 l/s for 2 s in a tank of 0.3 m x 0.2 m raise the level by 0.1 m. */
#define TANK(spacing, method, motion)                                                            \
    "{'spacing': " spacing ", 'domain': {'min': [0, 0, 0], 'max': [0.3, 0.6, 0.2]},"             \
    " 'solver': {'method': '" method "'}, 'fluids': [{'name': 'water', 'fill': {'shape': {'box'" \
    ": {'min': [0, 0, 0], 'max': [0.3, 0.1, 0.2]}}}}], 'gauges': [{'name': 'level', 'height': "  \
    "{'min': [0, 0, 0], 'max': [0.3, 0.6, 0.2]}}], 'emitters': [{'name': 'tap', 'fluid': "       \
    "'water', 'shape': {'mesh': {'file': 'scenes/boat.obj'}, 'position': [0.15, 0.4, 0.1], "     \
    "'scale': 0.3}, 'direction': [0, -1, 0], 'flow_rate': 0.003, 'end': 2, 'prefill': "          \
    "false" motion "}]}"
#define SWAYING ", 'motion': {'oscillation': {'amplitude': [0.04, 0, 0], 'frequency': 1}}"

/* Returns the level after the water has settled, m. */
static double settled_level(const char *text)
{
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    weir_gauge level;
    uint32_t count = 1;
    run_frames(world, 210);
    OK(sim_gauges(world, WEIR_ENTIRE_FRAME, &level, &count));
    sim_destroy(&world);
    scene_destroy(&scene);
    return level.value[0];
}

/* With pbf, the weight of the water compresses it by about a percent. */
static void an_inflow_from_a_mesh_raises_the_level_by_its_volume(void **state)
{
    static const struct {
        const char *what, *text;
        double spacing;
    } tanks[] = {
        {"pbf, 25 mm", TANK("0.025", "pbf", SWAYING), 0.025},
        {"flip, 20 mm", TANK("0.02", "flip", ""), 0.02},
    };
    for (size_t i = 0; i < BASE_COUNT(tanks); i++) {
        const double level = settled_level(tanks[i].text);
        print_message("  %s: %.4f m, expected 0.2 m\n", tanks[i].what, level);
        assert_true(fabs(level - 0.2) < 0.5 * tanks[i].spacing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inflow_from_a_mesh_raises_the_level_by_its_volume),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
