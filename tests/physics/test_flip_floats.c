/* Laws that bodies keep in FLIP and APIC. */
#include "body_support.h"
#include "device_support.h"

/* It begins where it should float; the fluid's own noise moves it. */
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

static double momentum_along_x(sim_world *world)
{
    weir_stats stats;
    OK(sim_stats(world, &stats));
    assert_int_equal(stats.escaped, 0);
    double sum = stats.momentum[0];
    for (uint32_t i = 0; i < 2; i++)
        sum += read_body(world, i).mass_kg * (double)read_body(world, i).velocity[0];
    return sum;
}

/* In a box without walls nothing comes in or goes out. The plate is a twentieth as heavy as the
 * fluid: what it gains it gives back at once, or it would shake. The grid itself does not keep the
 * momentum of fluid with a free surface quite. */
static void a_hammer_moves_a_light_plate_through_fluid(void **state)
{
    (void)state;
    static const char text[] =
        "{'spacing': 0.05, 'gravity': [0, 0, 0], 'domain': {'min': [0, 0, 0], 'max': [3, 2, 2],"
        " 'sides': {'x': 'open', 'y': 'open', 'z': 'open'}}, 'solver': {'method': 'apic'},"
        " 'bodies': [{'name': 'hammer', 'density': 2000, 'velocity': [2, 0.3, 0],"
        " 'shape': {'sphere': {'radius': 0.2}, 'position': [0.74, 1, 1]}},"
        " {'name': 'plate', 'density': 50, 'shape': {'box': {'size': [0.2, 0.5, 0.5]},"
        " 'position': [1.62, 1, 1]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [1, 0.7, 0.7], 'max': [1.5, 1.3, 1.3]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    double before = momentum_along_x(world), speed = 0.0;
    for (int frame = 0; frame < 10; frame++) {
        run_frames(world, 1);
        double now = (double)read_body(world, 1).velocity[0];
        assert_true(now > speed - 1e-3 && now < 0.5);
        speed = now;
    }
    assert_between("momentum, over the start's", momentum_along_x(world) / before, 0.97, 1.02);
    assert_between("hammer, m/s", (double)read_body(world, 0).velocity[0], 1.5, 1.9);
    assert_between("plate, m/s", speed, 0.03, 0.5);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_raft_displaces_its_mass),
        cmocka_unit_test(a_hammer_moves_a_light_plate_through_fluid),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
