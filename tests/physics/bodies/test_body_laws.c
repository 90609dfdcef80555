/* Laws that bodies obey, alone and in fluid. */
#include "body_support.h"
#include "device_support.h"

/* A drop of fluid far away, because a scene needs a fluid. */
#define SCENE(domain, more)                                                            \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 4, 2]" domain "}," more \
    " 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {"                         \
    "'min': [1.8, 0, 1.8], 'max': [2, 0.1, 2]}}}}]}"

static void masses_and_moments_are_those_of_the_shapes(void **state)
{
    static const char text[] =
        SCENE("", "'bodies': [{'name': 'box', 'density': 500, 'angular_velocity': [2, 0, 0],"
                  " 'shape': {'box': {'size': [0.2, 0.4, 0.6]}, 'position': [0.6, 2, 0.6]}},"
                  "{'name': 'ball', 'mass': 3, 'angular_velocity': [0, 5, 0],"
                  " 'shape': {'sphere': {'radius': 0.2}, 'position': [1.4, 2, 0.6]}},"
                  "{'name': 'turned', 'density': 500, 'angular_velocity': [0, 0, 1],"
                  " 'shape': {'box': {'size': [0.2, 0.4, 0.6]}, 'position': [0.6, 2, 1.4],"
                  " 'rotation': {'axis': [0, 0, 1], 'angle': 90}}}],");
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    weir_body box = read_body(world, 0), ball = read_body(world, 1), turned = read_body(world, 2);
    assert_between("box, kg", box.mass_kg, 23.99, 24.01);
    assert_between("its spin", (double)box.angular_momentum[0], 2.0 * 1.039, 2.0 * 1.041);
    assert_between("ball, m3", ball.volume_m3, 0.03351 * 0.998, 0.03351 * 1.002);
    assert_between("its spin", (double)ball.angular_momentum[1], 0.24 * 0.997, 0.24 * 1.003);
    assert_between("its energy, J", ball.kinetic_energy_j, 0.6 * 0.997, 0.6 * 1.003);
    assert_between("turned box's spin", (double)turned.angular_momentum[2], 0.399, 0.401);
    assert_between("its middle, m", (double)turned.position[2], 1.3999, 1.4001);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void a_free_body_falls_as_the_law_says_and_keeps_its_spin(void **state)
{
    static const char text[] =
        SCENE("", "'bodies': [{'name': 'box', 'density': 700, 'velocity': [0.5, 0, 0],"
                  " 'angular_velocity': [1, 6, 2], 'shape': {'box': {'size': [0.2, 0.3, 0.5]},"
                  " 'position': [0.8, 3, 1]}}],");
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    weir_body start = read_body(world, 0);
    run_frames(world, 30);
    weir_body end = read_body(world, 0);
    /* n substeps of dt: g dt^2 n (n + 1) / 2, because a velocity takes effect at the end of its
       substep. */
    double n = 120.0, dt = 1.0 / 240.0;
    double fall = 9.81 * dt * dt * n * (n + 1.0) / 2.0;
    assert_between("fall, m", 3.0 - (double)end.position[1], fall - 1e-5, fall + 1e-5);
    assert_between("flight, m", (double)end.position[0] - 0.8, 0.25 - 1e-5, 0.25 + 1e-5);
    assert_memory_equal(end.angular_momentum, start.angular_momentum, sizeof end.angular_momentum);
    double turning = start.kinetic_energy_j - 0.5 * start.mass_kg * 0.25;
    double fallen = 0.5 * end.mass_kg * (0.25 + 9.81 * 9.81 * n * dt * n * dt);
    assert_between("energy of turning, over the start's", (end.kinetic_energy_j - fallen) / turning,
                   0.999, 1.001);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* A box on a plane inclined by 30 degrees. */
static scene_data *make_slope(const char *friction)
{
    static const char text[] = SCENE(
        "", "'solids': [{'name': 'slope', 'shape': {'box': {'size': [4, 0.4, 1.6]},"
            " 'position': [1, 1.2, 0.9], 'rotation': {'axis': [0, 0, 1], 'angle': 30}}}],"
            "'bodies': [{'name': 'box', 'density': 700, 'shape': {'box': {'size': [0.3, 0.3, 0.3]},"
            " 'position': [1.2580127, 1.7531089, 0.9], 'rotation': {'axis': [0, 0, 1], 'angle': "
            "30}}}],");
    const char *const overrides[] = {friction, NULL};
    return make_scene(text, overrides);
}

static void a_body_that_sleeps_wakes_when_gravity_changes(void **state)
{
    scene_data *scene = make_slope("bodies[0].friction=0.9"),
               *other = make_slope("gravity=[5, -9, 0]");
    sim_world *world = make_sim(device, scene);
    run_frames(world, 45);
    assert_true(read_body(world, 0).asleep);
    OK(sim_apply_scene(world, other));
    assert_false(read_body(world, 0).asleep);
    run_frames(world, 2);
    assert_true(read_body(world, 0).kinetic_energy_j > 0.0);
    sim_destroy(&world);
    scene_destroy(&scene);
    scene_destroy(&other);
}

/* A ball thrown up next to a tower of two boxes comes down on it after 1.1 s. */
static void bodies_at_rest_sleep_and_what_hits_them_wakes_them(void **state)
{
    static const char text[] =
        SCENE("", "'bodies': [{'name': 'below', 'density': 700, 'shape': {'box': {"
                  "'size': [0.3, 0.3, 0.3]}, 'position': [0.5, 0.15, 0.5]}},"
                  "{'name': 'above', 'density': 700, 'shape': {'box': {'size': [0.3, 0.3, 0.3]},"
                  " 'position': [0.51, 0.45, 0.5]}},"
                  "{'name': 'ball', 'density': 700, 'velocity': [0, 5.4, 0], 'shape': {"
                  "'sphere': {'radius': 0.1}, 'position': [0.5, 0.7, 0.5]}}],");
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 50);
    weir_body below = read_body(world, 0), above = read_body(world, 1);
    assert_true(below.asleep && above.asleep && !read_body(world, 2).asleep);
    run_frames(world, 10);
    weir_body later = read_body(world, 1);
    assert_true(later.asleep && later.kinetic_energy_j == 0.0);
    assert_memory_equal(later.position, above.position, sizeof above.position);
    assert_memory_equal(later.rotation, above.rotation, sizeof above.rotation);
    run_frames(world, 12);
    above = read_body(world, 1);
    assert_true(!above.asleep && above.kinetic_energy_j > 0.0);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* The first two overlap and fly apart through each other. The third, in another group, lands on
   the first and stays. */
static void bodies_of_one_group_do_not_meet(void **state)
{
#define BOX(name, x, y, group, more)                                                               \
    "{'name': '" name "', 'density': 700, 'collision_group': " group ", 'friction': 0, 'shape': {" \
    "'box': {'size': [0.3, 0.3, 0.3]}, 'position': [" x ", " y ", 1]}" more "}"
    static const char text[] =
        SCENE("", "'bodies': [" BOX("one", "0.8", "0.15", "7", "") "," BOX(
                      "two", "0.9", "0.152", "7",
                      ", 'velocity': [-1, 0, 0]") "," BOX("three", "0.8", "0.46", "8", "") "],");
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 20);
    weir_body one = read_body(world, 0), two = read_body(world, 1), three = read_body(world, 2);
    assert_between("the first stays at, m", (double)one.position[0], 0.799, 0.801);
    assert_between("the second is at, m", (double)two.position[0], 0.56, 0.575);
    assert_between("the third is as high as, m", (double)three.position[1], 0.445, 0.455);
    sim_destroy(&world);
    scene_destroy(&scene);
#undef BOX
}

static void assert_same_again(const char *method)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.5]},"
        " 'bodies': [{'name': 'a', 'density': 400, 'shape': {'box': {'size': [0.2, 0.2, 0.2]},"
        " 'position': [0.7, 0.1, 0.25]}}, {'name': 'b', 'density': 900,"
        " 'shape': {'sphere': {'radius': 0.1}, 'position': [0.7, 0.31, 0.25]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.4, 0.5, 0.5]}}}}]}";
    static const char path[] = "test_bodies.weir";
    const char *const overrides[] = {method, NULL};
    uint64_t hash[3];
    scene_data *scene = make_scene(text, overrides);
    for (int run = 0; run < 3; run++) {
        sim_world *world = make_sim(device, scene);
        if (run < 2) run_frames(world, 8);
        if (run == 0) OK(sim_save(world, path, NULL));
        if (run == 2) OK(sim_restore(world, path, NULL));
        run_frames(world, 8);
        OK(sim_hash(world, &hash[run]));
        sim_destroy(&world);
    }
    remove(path);
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    scene_destroy(&scene);
}

/* A dam break meets a block of foam on the floor. */
static const char dam[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'solver': {'method': 'flip', 'substeps': 2}, 'domain':"
    " {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'fluids': [{'name': 'water', 'fill': {'shape': {'box':"
    " {'min': [0, 0, 0], 'max': [0.4, 0.6, 1]}}}}], 'bodies': [{'name': 'block', 'density': 20,"
    " 'shape': {'box': {'size': [0.3, 0.15, 0.3]}, 'position': [0.65, 0.075, 0.5]}}]}";

static double energy_of_all(sim_world *world)
{
    weir_stats stats;
    OK(sim_stats(world, &stats));
    weir_body block = read_body(world, 0);
    return stats.kinetic_energy_j + stats.potential_energy_j + block.kinetic_energy_j +
           9.81 * block.mass_kg * (double)block.position[1];
}

/* FLIP used to give the water back what it lost at the block: 0.20 of the energy at the start. */
static void water_that_streams_against_a_body_gains_no_energy(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        const char *const overrides[] = {methods[i], NULL};
        scene_data *scene = make_scene(dam, overrides);
        sim_world *world = make_sim(device, scene);
        double start = energy_of_all(world), least = start, gained = 0.0;
        for (int frame = 0; frame < 36; frame++) {
            run_frames(world, 1);
            double now = energy_of_all(world);
            least = fmin(least, now);
            gained = fmax(gained, now - least);
        }
        assert_between("energy gained, over that at the start", gained / start, 0.0, 0.005);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

static void a_run_is_the_same_again_and_after_a_checkpoint(void **state)
{
    assert_same_again("solver.method=pbf");
    assert_same_again("solver.method=flip");
    assert_same_again("solver.method=apic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_and_moments_are_those_of_the_shapes),
        cmocka_unit_test(a_free_body_falls_as_the_law_says_and_keeps_its_spin),
        cmocka_unit_test(a_body_that_sleeps_wakes_when_gravity_changes),
        cmocka_unit_test(bodies_at_rest_sleep_and_what_hits_them_wakes_them),
        cmocka_unit_test(bodies_of_one_group_do_not_meet),
        cmocka_unit_test(water_that_streams_against_a_body_gains_no_energy),
        cmocka_unit_test(a_run_is_the_same_again_and_after_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
