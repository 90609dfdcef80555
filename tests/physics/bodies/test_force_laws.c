/* Laws that the forces of the fluid obey. */
#include "body_support.h"
#include "device_support.h"

/* A pool of 1.2 x 1.2 m, 0.4 m deep; `more`: the bodies. */
#define POOL(more)                                                            \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1.2, 0.8, 1.2]}," \
    " 'bodies': [" more "], 'fluids': [{'name': 'water', 'fill': {'shape': {" \
    "'box': {'min': [0, 0, 0], 'max': [1.2, 0.4, 1.2]}}}}]}"

static weir_force read_force(sim_world *world)
{
    weir_force force;
    uint32_t count = 1;
    OK(sim_wait(world));
    OK(sim_body_forces(world, &force, &count));
    assert_int_equal(count, 1);
    return force;
}

/* Returns the difference, in weights, between a force or torque and the change of momentum in a
   frame. */
static double miss(const weir_body *before, const weir_body *now, const weir_force *f)
{
    double frame_s = 1.0 / 60.0, weight = now->mass_kg * 9.81, worst = 0.0;
    for (int k = 0; k < 3; k++) {
        double push = now->mass_kg * (double)(now->velocity[k] - before->velocity[k]) / frame_s;
        double turn = (double)(now->angular_momentum[k] - before->angular_momentum[k]) / frame_s;
        worst = fmax(worst, fabs((double)f->force[k] - push - (k == 1 ? weight : 0.0)) / weight);
        worst = fmax(worst, fabs((double)f->torque[k] - turn) / weight);
    }
    return worst;
}

/* Checks Newton's and Euler's laws, frame by frame, for a body on which only gravity and fluid
   act. */
static void check_motion(const char *what, const char *const *overrides, bool same)
{
    static const char text[] =
        POOL("{'name': 'box', 'density': 1400, 'angular_velocity': [0.5, 0, 1], 'shape': {'box': {"
             "'size': [0.3, 0.2, 0.25]}, 'position': [0.6, 0.5, 0.6],"
             " 'rotation': {'axis': [0, 0, 1], 'angle': 20}}}");
    enum { FRAMES = 8 };
    weir_force forces[2][FRAMES];
    scene_data *scene = make_scene(text, overrides);
    for (int run = 0; run < 1 + same; run++) {
        sim_world *world = make_sim(device, scene);
        weir_body before = read_body(world, 0);
        double wet = 0.0, turned = 0.0, worst = 0.0, weight = 9.81 * before.mass_kg;
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            run_frames(world, 1);
            weir_body now = read_body(world, 0);
            weir_force *f = &forces[run][frame];
            *f = read_force(world);
            assert_int_equal(f->frame, frame + 1);
            worst = fmax(worst, miss(&before, &now, f));
            wet = fmax(wet, (double)f->force[1] / weight);
            turned = fmax(turned, fabs((double)f->torque[2]) / weight);
            before = now;
        }
        assert_true(wet > 0.3 && turned > 0.01);
        assert_between(what, worst, 0.0, 1e-5);
        sim_destroy(&world);
    }
    for (uint32_t i = 0; same && i < FRAMES; i++) {
        assert_memory_equal(forces[0][i].force, forces[1][i].force, sizeof forces[0][i].force);
        assert_memory_equal(forces[0][i].torque, forces[1][i].torque, sizeof forces[0][i].torque);
    }
    scene_destroy(&scene);
}

static void a_bodys_momentum_changes_by_the_forces_of_fluid_and_gravity(void **state)
{
    check_motion("pbf", (const char *const[]){NULL}, true);
    check_motion("flip", (const char *const[]){"solver.method=flip", NULL}, true);
    check_motion("apic", (const char *const[]){"solver.method=apic", "solver.substeps=2", NULL},
                 false);
    check_motion("viscous", (const char *const[]){"fluids[0].dynamic_viscosity=20", NULL}, false);
}

static void check_raft(const char *method)
{
    static const char text[] =
        POOL("{'name': 'raft', 'density': 500, 'shape': {'box': {'size': [0.5, 0.3, 0.5]},"
             " 'position': [0.6, 0.4, 0.6]}}");
    const char *const overrides[] = {method, NULL};
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    double weight = 9.81 * read_body(world, 0).mass_kg, up = 0.0, aside = 0.0, turn = 0.0;
    run_frames(world, 20);
    for (int frame = 0; frame < 25; frame++) {
        run_frames(world, 1);
        weir_force f = read_force(world);
        up += (double)f.force[1] / 25.0;
        aside += (double)f.force[0] / 25.0;
        turn += (double)f.torque[2] / 25.0;
    }
    print_message("  %s: %.4f of its weight, %.4f aside, turned by %.4f weights at 1 m\n", method,
                  up / weight, aside / weight, turn / weight);
    assert_between("force, in weights", up / weight, 0.97, 1.03);
    assert_between("aside, in weights", aside / weight, -0.03, 0.03);
    assert_between("torque, in weights at 1 m", turn / weight, -0.01, 0.01);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void fluid_carries_the_weight_of_a_raft_at_rest(void **state)
{
    check_raft("solver.method=pbf");
    check_raft("solver.method=flip");
}

/* A box of 0.5 x 0.3 m, half submerged, is stable. Heeled by 15 degrees, the fluid turns it back
   by m g (B^2 / (12 T) - (H - T) / 2) sin 15 deg. */
static void check_heel(const char *method, const char *tilt, double sense)
{
    static const char text[] =
        POOL("{'name': 'raft', 'density': 500, 'shape': {'box': {'size': [0.5, 0.3, 0.5]},"
             " 'position': [0.6, 0.4, 0.6], 'rotation': {'axis': [0, 0, 1], 'angle': 15}}}");
    const char *const overrides[] = {method, tilt, NULL};
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    double righting = 9.81 * read_body(world, 0).mass_kg * (0.25 / 1.8 - 0.075) * sin(0.2618),
           turn = 0.0;
    for (int frame = 0; frame < 6; frame++) {
        run_frames(world, 1);
        turn += (double)read_force(world).torque[2] / 6.0;
    }
    print_message("  %s, %s: %.3f of the law\n", method, tilt, sense * turn / righting);
    assert_between("torque that rights it, over the law", sense * turn / righting, 0.2, 1.5);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void fluid_rights_a_heeled_raft(void **state)
{
    static const char *const methods[] = {"solver.method=pbf", "solver.method=flip"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        check_heel(methods[i], "bodies[0].shape.rotation.angle=15", -1.0);
        check_heel(methods[i], "bodies[0].shape.rotation.angle=-15", 1.0);
    }
}

/* They lie on the dry part of the floor, one on top of the other, where only walls and bodies
   hold them. */
static void contacts_are_no_forces_of_fluid(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1.2, 0.8, 0.5]}, 'bodies': ["
        "{'name': 'below', 'density': 700, 'shape': {'box': {'size': [0.2, 0.2, 0.2]},"
        " 'position': [1, 0.1, 0.25]}}, {'name': 'above', 'density': 700, 'shape': {'box': {"
        "'size': [0.2, 0.2, 0.2]}, 'position': [1, 0.3, 0.25]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
        " 'max': [0.2, 0.1, 0.5]}}}}]}";
    const float nothing[3] = {0};
    weir_force forces[2];
    uint32_t count = 2;
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    for (int frame = 0; frame < 5; frame++) {
        run_frames(world, 1);
        OK(sim_wait(world));
        OK(sim_body_forces(world, forces, &count));
        for (uint32_t i = 0; i < 2; i++) {
            assert_memory_equal(forces[i].force, nothing, sizeof nothing);
            assert_memory_equal(forces[i].torque, nothing, sizeof nothing);
        }
    }
    assert_true(fabsf(read_body(world, 1).velocity[1]) < 0.05f); /* it does not fall */
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- solids --------------------------------------------------------------------------------- */

/* A box held in a tank without sides, over a floor that is also a solid. */
#define TANK                                                                                      \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.8, 1, 0.8],"                        \
    " 'sides': {'x': 'periodic', 'y': 'open', 'z': 'periodic'}},"                                 \
    " 'solver': {'solid_forces': true, 'long_range_correction': 'off', 'substeps': 4},"           \
    " 'solids': [{'name': 'floor', 'shape': {'box': {'min': [-2, -1, -2], 'max': [3, 0.2, 3]}}}," \
    " {'name': 'box', 'shape': {'box': {'min': [0.2, 0.4, 0.1], 'max': [0.6, 0.6, 0.5]}}}],"      \
    " 'gauges': [{'name': 'f', 'force': {'solid': 'floor'}}, {'name': 'b', 'force': {'solid': "   \
    "'box'}}], 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0.2, 0],"       \
    " 'max': [0.8, 0.8, 0.8]}}}}]}"

typedef struct loads {
    double force[2][3], torque[2][3]; /* of the floor and of the box */
} loads;

/* Reads the forces of one frame on the two solids; gauges read the same forces. */
static void read_solids(sim_world *world, weir_force forces[2])
{
    weir_gauge gauges[2];
    uint32_t count = 2, read = 2;
    OK(sim_wait(world));
    OK(sim_solid_forces(world, forces, &count));
    OK(sim_gauges(world, WEIR_ENTIRE_FRAME, gauges, &read));
    assert_int_equal(count, 2);
    float largest = fabsf(forces[0].force[1]);
    for (int k = 0; k < 6; k++) {
        double off = (double)forces[k / 3].force[k % 3] - gauges[k / 3].value[k % 3];
        assert_true(fabs(off) < 1e-5 * (double)largest + 1e-3);
    }
}

static loads read_loads(sim_world *world, int frames)
{
    loads mean = {0};
    weir_force forces[2];
    for (int frame = 0; frame < frames; frame++) {
        run_frames(world, 1);
        read_solids(world, forces);
        for (int k = 0; k < 6; k++) {
            mean.force[k / 3][k % 3] += (double)forces[k / 3].force[k % 3] / frames;
            mean.torque[k / 3][k % 3] += (double)forces[k / 3].torque[k % 3] / frames;
        }
    }
    return mean;
}

/* FLIP's surface lies a fraction of a cell too low, and its cells cut the edges off a box. */
static void check_tank(const char *const *overrides, double weigh_least, double lift_least)
{
    scene_data *scene = make_scene(TANK, overrides);
    sim_world *world = make_sim(device, scene);
    weir_stats stats;
    OK(sim_stats(world, &stats));
    double weight = (double)world->params.fluids[0].mass * stats.particle_count * 9.81;
    double lift = 1000.0 * 0.4 * 0.2 * 0.4 * 9.81;
    run_frames(world, 20);
    OK(sim_stats(world, &stats));
    double before = stats.momentum_kg_m_s[1];
    loads l = read_loads(world, 20);
    OK(sim_stats(world, &stats));
    weight += (stats.momentum_kg_m_s[1] - before) / (20.0 / 60.0); /* it is still moving */
    const double *f = l.force[1], *t = l.torque[1], middle[3] = {0.4, 0.5, 0.3};
    print_message("  %s: weight %.4f, buoyancy %.4f, its torque about the origin %.4f (x), %.4f "
                  "(z)\n",
                  overrides[0], -(l.force[0][1] + f[1]) / weight, f[1] / lift,
                  t[0] / (-middle[2] * f[1]), t[2] / (middle[0] * f[1]));
    assert_between("weight of the water", -(l.force[0][1] + f[1]) / weight, weigh_least, 1.002);
    assert_between("buoyancy of the box", f[1] / lift, lift_least, 1.07);
    assert_between("torque about x", t[0] / (-middle[2] * f[1]), 0.97, 1.03);
    assert_between("torque about z", t[2] / (middle[0] * f[1]), 0.97, 1.03);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void solids_bear_the_weight_of_water_and_its_buoyancy(void **state)
{
    check_tank((const char *const[]){"solver.method=pbf", NULL}, 0.998, 0.98);
    check_tank((const char *const[]){"solver.method=flip", NULL}, 0.95, 0.9);
}

/* In a periodic or open domain only the solids hold a fluid that sticks to them: its momentum
   changes by gravity, which is oblique, and by the reaction to the force on the solids. The
   floor has no friction, so all force along it is drag. */
static void what_solids_get_of_a_viscous_fluid_it_loses(void **state)
{
    static const char *const honey[] = {"fluids[0].dynamic_viscosity=40", "gravity=[5,-9.81,1]",
                                        "solids[0].friction=0", "solids[1].friction=0", NULL};
    enum { FRAMES = 4 };
    scene_data *scene = make_scene(TANK, honey);
    sim_world *world = make_sim(device, scene);
    const double gravity[3] = {5, -9.81, 1};
    weir_stats before, after;
    OK(sim_stats(world, &before));
    double mass = (double)world->params.fluids[0].mass * before.particle_count;
    loads l = read_loads(world, FRAMES);
    OK(sim_stats(world, &after));
    assert_between("drag on the floor, in weights", l.force[0][0] / (5.0 * mass), 0.05, 0.9);
    for (int k = 0; k < 3; k++) {
        double gain = (after.momentum_kg_m_s[k] - before.momentum_kg_m_s[k]) * 60.0 / FRAMES / mass;
        double got = (l.force[0][k] + l.force[1][k]) / mass;
        print_message("  gravity %g, gain %.4f, solids %.4f m/s2\n", gravity[k], gain, got);
        assert_between("gravity less gain and solids", gravity[k] - gain - got, -1e-3, 1e-3);
    }
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* A heavy plate sinks to the floor and presses the fluid against it. */
#define PLATE                                                                                     \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.6]},"                     \
    " 'solver': {'solid_forces': true, 'long_range_correction': 'off', 'substeps': 4},"           \
    " 'solids': [{'name': 'floor', 'shape': {'box': {'min': [-2, -1, -2], 'max': [3, 0.2, 3]}}}," \
    " {'name': 'post', 'shape': {'box': {'min': [0.6, 0, 0.1], 'max': [0.7, 0.6, 0.5]}}}],"       \
    " 'bodies': [{'name': 'plate', 'density': 4000, 'shape': {'box': {'size': [0.3, 0.1, 0.3]},"  \
    " 'position': [0.35, 0.31, 0.3]}, 'velocity': [0, -1, 0]}],"                                  \
    " 'gauges': [{'name': 'f', 'force': {'solid': 'floor'}}, {'name': 'b', 'force': {'solid': "   \
    "'post'}}], 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0.2, 0],"      \
    " 'max': [0.8, 0.5, 0.6]}}}}]}"

/* Reading the forces changes nothing: a run has the same bits with and without it, and the sums
   themselves are reproducible. */
static void check_bits(const char *text, const char *override)
{
    uint64_t hash[3];
    weir_force forces[3][2];
    for (int run = 0; run < 3; run++) {
        const char *const overrides[] = {
            override, run < 2 ? "solver.solid_forces=true" : "solver.solid_forces=false", NULL};
        scene_data *scene = make_scene(text, overrides);
        sim_world *world = make_sim(device, scene);
        run_frames(world, 5);
        OK(sim_hash(world, &hash[run]));
        if (run < 2) read_solids(world, forces[run]);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    for (int s = 0; s < 2; s++) {
        assert_true(forces[0][s].force[0] != 0.0f || forces[0][s].force[1] != 0.0f);
        assert_memory_equal(forces[0][s].force, forces[1][s].force, 12);
        assert_memory_equal(forces[0][s].torque, forces[1][s].torque, 12);
    }
}

static void forces_on_solids_change_no_bits_and_are_the_same_again(void **state)
{
    check_bits(TANK, "solver.method=pbf");
    check_bits(TANK, "solver.method=wcsph");
    check_bits(TANK, "solver.method=flip");
    check_bits(PLATE, "solver.method=pbf");
    check_bits(PLATE, "solver.tolerance.mean=0.01");
    check_bits(PLATE, "solver.method=apic");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bodys_momentum_changes_by_the_forces_of_fluid_and_gravity),
        cmocka_unit_test(contacts_are_no_forces_of_fluid),
        cmocka_unit_test(fluid_carries_the_weight_of_a_raft_at_rest),
        cmocka_unit_test(fluid_rights_a_heeled_raft),
        cmocka_unit_test(solids_bear_the_weight_of_water_and_its_buoyancy),
        cmocka_unit_test(what_solids_get_of_a_viscous_fluid_it_loses),
        cmocka_unit_test(forces_on_solids_change_no_bits_and_are_the_same_again),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
