/* Coulomb's law for particles: whatever carries the weight of water at a wall - the density of the
 * wall, the contact, or the long-range correction - takes mu times that weight from water that
 * slides. */
#include "device_support.h"
#include "scene_text.h"
#include "sim_support.h"

#define G 9.81
#define MU 0.02
#define FRAMES 12

static const char floor_scene[] =
    "{'spacing': 0.03125, 'frame_rate': 120, 'solver': {'dimensions': 2}, 'domain': {'min':"
    " [0, 0, 0], 'max': [1, 1, 0.1], 'sides': {'x': 'periodic'}, 'friction': 0.02}, 'fluids':"
    " [{'name': 'water', 'fill': {'velocity': [1, 0, 0], 'jitter': 0, 'shape': {'box': {'min':"
    " [0, 0, 0], 'max': [1, 0.5, 1]}}}}]}";

/* Returns the change of the momentum along x over mu times the impulse of the floor. */
static double rubbed(const char *text, const char *method, const char *long_range)
{
    const char *const sets[] = {method, long_range, NULL};
    scene_data *scene = make_scene(text, sets);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 1);
    vec4 first = world->last_result.sums.momentum;
    run_frames(world, FRAMES);
    vec4 last = world->last_result.sums.momentum;
    double normal = world->mass_kg * G * FRAMES / 120.0 + (double)(last.y - first.y);
    sim_destroy(&world);
    scene_destroy(&scene);
    return (double)(last.x - first.x) / (MU * normal);
}

static void check(const char *method, const char *long_range, double tolerance)
{
    double slowed = rubbed(floor_scene, method, long_range),
           dragged = rubbed(scene_text("flip_walls_dragging"), method, long_range);
    print_message("  %s %s: a floor slows by %.4f, a belt drags by %.4f of mu times its impulse\n",
                  method, long_range ? long_range : "", -slowed, dragged);
    assert_true(fabs(slowed + 1.0) <= tolerance);
    assert_true(fabs(dragged - 1.0) <= tolerance);
}

static void friction_is_mu_times_the_weight(void **state)
{
    check("solver.method=pbf", "solver.long_range_correction=off", 0.01);
    check("solver.method=pcisph", NULL, 0.01);
    check("solver.method=wcsph", NULL, 0.01);
}

static void the_long_range_correction_rubs_as_well(void **state)
{
    check("solver.method=pbf", "solver.long_range_correction=on", 0.04);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_is_mu_times_the_weight),
        cmocka_unit_test(the_long_range_correction_rubs_as_well),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
