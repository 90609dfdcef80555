/* Bodies in viscous fluids of FLIP and APIC: momentum of both together, Stokes's drag, light
 * bodies. */
#include "body_support.h"
#include "device_support.h"
#include "flip_support.h"

#define G 9.81
#define PI 3.14159265358979323846

static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};

/* ---- momentum ------------------------------------------------------------------------------- */

/* A ball flies and spins in a drop of honey, without weight. */
static const char drop[] =
    "{'spacing': 0.03, 'frame_rate': 50, 'gravity': [0, 0, 0], 'solver': {'method': 'apic',"
    " 'substeps': 1}, 'domain': {'min': [-1.5, -1.5, -1.5], 'max': [1.5, 1.5, 1.5], 'sides': {'x':"
    " 'open', 'y': 'open', 'z': 'open'}}, 'fluids': [{'name': 'honey', 'dynamic_viscosity': 100,"
    " 'fill': {'jitter': 0, 'shape': {'sphere': {'radius': 0.7}}}}], 'bodies': [{'name': 'ball',"
    " 'density': 3000, 'velocity': [1, 0.3, 0], 'angular_velocity': [0, 0, 4], 'shape': {'sphere':"
    " {'radius': 0.25}}}]}";

/* Momentum along x and y, kg m/s, and angular momentum about the z axis, kg m2/s, of the fluid and
 * the ball. */
typedef struct totals {
    double momentum[2], angular, kinetic_energy;
} totals;

static totals sum_up(sim_world *world)
{
    weir_stats stats;
    uint32_t count;
    weir_body ball = read_body(world, 0);
    totals sum = {0};
    OK(sim_stats(world, &stats));
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    vec3 *v = read_vectors(world, WEIR_FIELD_VELOCITY, &count);
    double mass = (double)world->params.fluids[0].mass;
    for (uint32_t i = 0; i < count; i++)
        sum.angular += mass * ((double)x[i].x * (double)v[i].y - (double)x[i].y * (double)v[i].x);
    for (int k = 0; k < 2; k++)
        sum.momentum[k] = stats.momentum_kg_m_s[k] + ball.mass_kg * (double)ball.velocity[k];
    sum.angular += (double)ball.angular_momentum[2] +
                   ball.mass_kg * (double)(ball.position[0] * ball.velocity[1] -
                                           ball.position[1] * ball.velocity[0]);
    sum.kinetic_energy = stats.kinetic_energy_j + ball.kinetic_energy_j;
    base_free(x);
    base_free(v);
    return sum;
}

/* Runs five substeps. The angular momentum is that of the first, since later ones lose some by the
 * transfers. */
static void keep_momentum(const char *method, const char *shape)
{
    const char *const overrides[] = {method, shape, NULL};
    scene_data *scene = make_scene(drop, overrides);
    sim_world *world = make_sim(device, scene);
    totals start = sum_up(world), before = start, after = start;
    double most = 0.0, turned = 0.0;
    for (int frame = 0; frame < 5; frame++, before = after) {
        run_frames(world, 1);
        after = sum_up(world);
        for (int k = 0; k < 2; k++)
            most = fmax(most, fabs(after.momentum[k] - before.momentum[k]));
        if (frame == 0) turned = fabs(after.angular / start.angular - 1.0);
        assert_true(after.kinetic_energy < before.kinetic_energy);
    }
    weir_body body = read_body(world, 0);
    print_message("  %s: angular momentum off by %.3g; speed %.3f, spin %.3f\n", method, turned,
                  (double)body.velocity[0], (double)body.angular_velocity[2]);
    assert_between("change of momentum in a substep", most / start.momentum[0], 0.0, 2e-7);
    assert_between("loss of angular momentum", turned, 0.0, 0.03);
    assert_true(body.velocity[0] < 0.8f && body.angular_velocity[2] < 3.0f);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* The faces of the box lie on those of the grid, which the ball cuts. */
static void bodies_and_honey_keep_their_momentum(void **state)
{
    static const char ball[] = "bodies[0].shape={\"sphere\": {\"radius\": 0.25}}";
    static const char box[] = "bodies[0].shape={\"box\": {\"size\": [0.48, 0.48, 0.48]}}";
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        keep_momentum(methods[i], ball);
        keep_momentum(methods[i], box);
    }
}

/* ---- drag ----------------------------------------------------------------------------------- */

/* A ball of 0.16 m in a sphere of 0.4 m full of a fluid. */
static const char shell[] =
    "{'spacing': 0.025, 'gravity': [0, -9.81, 0], 'frame_rate': %d, 'solver': {'method': 'apic',"
    " 'substeps': 1}, 'domain': {'min': [-0.46, -0.46, -0.46], 'max': [0.46, 0.46, 0.46]},"
    " 'solids': [{'name': 'shell', 'shape': {'difference': [{'box': {'size': [1, 1, 1]}}, "
    "{'sphere':"
    " {'radius': 0.4}}]}}], 'fluids': [{'name': 'honey', 'dynamic_viscosity': 200, 'fill':"
    " {'shape': {'sphere': {'radius': 0.4}}}}], 'bodies': [{'name': 'ball', 'density': 2000,"
    " 'shape': {'sphere': {'radius': 0.16}}}]}";

/* Returns the terminal speed between concentric spheres, m/s: 6 pi mu a U K, and K of Happel and
 * Brenner, Low Reynolds number hydrodynamics (1983), equation 4-22.11 for a rigid shell. */
static double stokes_speed(void)
{
    const double a = 0.16, l = a / 0.4, mu = 200.0,
                 weight = 1000.0 * 4.0 / 3.0 * PI * a * a * a * G;
    double k = (1.0 - pow(l, 5)) /
               (1.0 - 9.0 / 4.0 * l + 5.0 / 2.0 * pow(l, 3) - 9.0 / 4.0 * pow(l, 5) + pow(l, 6));
    return weight / (6.0 * PI * mu * a * k);
}

/* Returns the speed at which the ball sinks after 0.05 s, with substeps of 1 / rate s. */
static double sinking_speed(int rate)
{
    char *text = base_format(shell, rate);
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, (uint32_t)rate / 20);
    double speed = -(double)read_body(world, 0).velocity[1];
    base_free(text);
    sim_destroy(&world);
    scene_destroy(&scene);
    return speed;
}

/* Viscosity and pressure act one after the other, so the drag is too small by a fraction that falls
 * with the substep. */
static void the_drag_converges_to_stokes_s(void **state)
{
    (void)state;
    double wanted = stokes_speed(), coarse = sinking_speed(480), fine = sinking_speed(960);
    double limit = 2.0 * fine - coarse;
    print_message("  speed over Stokes's: %.3f at 1/480 s, %.3f at 1/960 s, limit %.3f\n",
                  coarse / wanted, fine / wanted, limit / wanted);
    assert_true(fine < coarse);
    assert_between("speed at 1/960 s over Stokes's", fine / wanted, 0.9, 1.35);
    assert_between("limit of the speed over Stokes's", limit / wanted, 0.85, 1.15);
}

/* ---- light bodies --------------------------------------------------------------------------- */

static const char pool[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'solver': {'method': 'flip', 'substeps': 1}, 'domain': "
    "{'min':"
    " [0, 0, 0], 'max': [1, 1.4, 1]}, 'fluids': [{'name': 'tar', 'dynamic_viscosity': %g, 'fill': {"
    " 'shape': {'box': {'min': [0, 0, 0], 'max': [1, 0.9, 1]}}}}], 'bodies': [{'name': 'ball',"
    " 'density': 10, 'shape': {'sphere': {'radius': 0.2}, 'position': [0.5, 0.45, 0.5]}}]}";

/* A ball of a hundredth of the fluid's density rises without oscillating, however viscous the fluid
 * is. */
static void a_light_ball_rises_calmly(void **state)
{
    (void)state;
    static const double viscosities[] = {10.0, 1000.0, 50000.0};
    for (size_t i = 0; i < BASE_COUNT(viscosities); i++) {
        char *text = base_format(pool, viscosities[i]);
        scene_data *scene = make_scene(text, NULL);
        sim_world *world = make_sim(device, scene);
        double fastest = 0.0;
        for (int frame = 0; frame < 20; frame++) {
            run_frames(world, 1);
            weir_body ball = read_body(world, 0);
            assert_false(ball.non_finite);
            for (int k = 0; k < 3; k++)
                fastest = fmax(fastest, fabs((double)ball.velocity[k]));
        }
        double risen = (double)read_body(world, 0).position[1] - 0.45;
        print_message("  %g Pa s: rises %.4f m, at most %.3f m/s\n", viscosities[i], risen,
                      fastest);
        assert_true(risen > 0.0 && risen < 0.6 && fastest < 2.5);
        base_free(text);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_and_honey_keep_their_momentum),
        cmocka_unit_test(the_drag_converges_to_stokes_s),
        cmocka_unit_test(a_light_ball_rises_calmly),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
