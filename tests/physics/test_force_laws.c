/* Laws that the forces of fluid keep. */
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

/* How far, in weights, a force or torque is from what a frame has changed. */
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

/* Newton's and Euler's laws of a body that nothing but gravity and fluid moves, frame by frame. */
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
    (void)state;
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
    (void)state;
    check_raft("solver.method=pbf");
    check_raft("solver.method=flip");
}

/* A box of 0.5 x 0.3 m, half sunk, is stable: heeled by 15 degrees, the fluid turns it back by
 * m g (B^2 / (12 T) - (H - T) / 2) sin 15 deg. */
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
    (void)state;
    static const char *const methods[] = {"solver.method=pbf", "solver.method=flip"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        check_heel(methods[i], "bodies[0].shape.rotation.angle=15", -1.0);
        check_heel(methods[i], "bodies[0].shape.rotation.angle=-15", 1.0);
    }
}

/* They lie on the dry part of the floor, one on the other, where walls and bodies alone hold them.
 */
static void contacts_are_no_forces_of_fluid(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bodys_momentum_changes_by_the_forces_of_fluid_and_gravity),
        cmocka_unit_test(contacts_are_no_forces_of_fluid),
        cmocka_unit_test(fluid_carries_the_weight_of_a_raft_at_rest),
        cmocka_unit_test(fluid_rights_a_heeled_raft),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
