/* Laws that bodies obey in FLIP and APIC. */
#include "body_support.h"
#include "device_support.h"

/* It starts where it should float; the fluid's own noise moves it. */
static void a_raft_displaces_its_mass(void **state)
{
    (void)state;
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1.2, 0.8, 1.2]},"
        " 'solver': {'method': 'apic', 'substeps': 2},"
        " 'bodies': [{'name': 'raft', 'density': 500, 'shape': {'box': {'size': [0.5, 0.3, 0.5]},"
        " 'position': [0.6, 0.4, 0.6]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
        " 'max': [1.2, 0.4, 1.2]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    weir_stats stats;
    OK(sim_stats(world, &stats));
    double mass = read_body(world, 0).mass_kg,
           fluid = 1000.0 * stats.particle_count * 0.05 * 0.05 * 0.05;
    double level = (fluid + mass) / 1000.0 / 1.44, height = 0.0;
    for (int frame = 0; frame < 45; frame++) {
        run_frames(world, 1);
        height += frame < 15 ? 0.0 : (double)read_body(world, 0).position[1] / 30.0;
    }
    assert_between("middle over the surface, d", (height - level) / 0.05, -0.1, 0.1);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* The fluid is still, so only the body requires substeps; the wall is two spacings thick. */
static void a_fast_body_does_not_pass_a_thin_wall(void **state)
{
    (void)state;
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [3, 0.8, 0.6]},"
        " 'solver': {'method': 'flip'}, 'bodies': [{'name': 'shot', 'density': 700, 'velocity':"
        " [20, 0, 0], 'shape': {'box': {'size': [0.2, 0.2, 0.2]}, 'position': [0.5, 0.5, 0.3]}}],"
        " 'solids': [{'name': 'wall', 'shape': {'box': {'size': [0.1, 0.8, 0.6]},"
        " 'position': [1.5, 0.4, 0.3]}}], 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        " 'min': [0, 0, 0], 'max': [0.4, 0.1, 0.6]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 8);
    assert_between("place, m", (double)read_body(world, 0).position[0], 1.0, 1.4);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_raft_displaces_its_mass),
        cmocka_unit_test(a_fast_body_does_not_pass_a_thin_wall),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
