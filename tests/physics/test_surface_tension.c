/* Surface tension: the shape that it gives a cube, and that it causes no net motion. */
#include "device_support.h"
#include "sim_support.h"

#define PI 3.14159265358979323846
#define SIDE 12u /* particles along an edge */

static const char cube[] = "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 60,"
                           " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]},"
                           " 'fluids': [{'name': 'water', 'xsph': 0, 'surface_tension': 900,"
                           " 'fill': {'shape': {'box': {'size': [0.6, 0.6, 0.6]}}}}]}";

static const char droplet[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 120,"
    " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]}, 'solver': {'substeps': 2, "
    "'support_radius': 2.5, "
    "'relaxation': 0.48},"
    " 'fluids': [{'name': 'water', 'xsph': 0, 'surface_tension': 900,"
    " 'fill': {'shape': {'sphere': {'radius': 0.5}}, 'lattice': 'hexagonal', 'jitter': 0.2,"
    " 'velocity_gradient': {'x': [-0.32, 0, 0], 'y': [0, 0.64, 0], 'z': [0, 0, -0.32]}}}]}";

static const char two_fluids[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 60,"
    " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]},"
    " 'fluids': [{'name': 'water', 'surface_tension': 500,"
    " 'fill': {'shape': {'box': {'min': [-0.3, -0.2, -0.2], 'max': [0, 0.2, 0.2]}}}},"
    " {'name': 'oil', 'density': 600, 'surface_tension': 200,"
    " 'fill': {'shape': {'box': {'min': [0, -0.2, -0.2], 'max': [0.3, 0.2, 0.2]}}}}]}";

static void assert_at_most(const char *what, double value, double limit)
{
    print_message("  %s: %.3g, at most %.3g\n", what, value, limit);
    assert_true(value <= limit);
}

/* In each of several directions, the surface is the farthest particle within a cone. */
#define DIRECTIONS 96u

typedef struct surface {
    double radius[DIRECTIONS], mean, spread; /* spread: root mean square over the mean */
} surface;

static surface find_surface(const vec3 *x, uint32_t count, vec3 centre)
{
    surface s = {0};
    for (uint32_t k = 0; k < DIRECTIONS; k++) {
        double z = 1.0 - (2.0 * k + 1.0) / DIRECTIONS, turn = k * PI * (3.0 - sqrt(5.0));
        double ring = sqrt(1.0 - z * z);
        vec3 direction = {(float)(ring * cos(turn)), (float)(ring * sin(turn)), (float)z};
        for (uint32_t i = 0; i < count; i++) {
            vec3 p = vec3_sub(x[i], centre);
            double size = (double)vec3_length(p);
            if ((double)vec3_dot(p, direction) > 0.96 * size) s.radius[k] = fmax(s.radius[k], size);
        }
        s.mean += s.radius[k] / DIRECTIONS;
    }
    for (uint32_t k = 0; k < DIRECTIONS; k++)
        s.spread += pow(s.radius[k] / s.mean - 1.0, 2.0) / DIRECTIONS;
    s.spread = sqrt(s.spread);
    return s;
}

static vec3 centre_of(const sim_world *world)
{
    const struct sim_statistics *sums = &world->last_result.sums;
    return vec3_scale(vec3_make(sums->moment.x, sums->moment.y, sums->moment.z),
                      1.0f / sums->moment.w);
}

static surface surface_now(sim_world *world)
{
    uint32_t count;
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    surface s = find_surface(x, count, centre_of(world));
    base_free(x);
    return s;
}

/* A cube's modes have n = 4 and higher: a spread e of the radius adds (n - 1) (n + 2) / 2 e^2 =
   9 e^2 to the area, so 0.0577 is a sphericity of 1.03. Runs for three periods of the n = 2
   mode. */
static void a_cube_becomes_a_ball(void **state)
{
    (void)state;
    scene_data *scene = make_scene(cube, NULL);
    sim_world *world = make_sim(device, scene);
    double d = (double)scene->spacing, radius = d * cbrt(3.0 * SIDE * SIDE * SIDE / (4.0 * PI));
    double period = 2.0 * PI * sqrt(1000.0 * pow(radius, 3.0) / (8.0 * 900.0));
    run_frames(world, 1);
    vec3 centre = centre_of(world);
    surface before = surface_now(world);
    run_frames(world, (uint32_t)(2.5 * period * 60.0));
    surface after = surface_now(world);
    for (int i = 0; i < 4; i++) { /* within three periods: it still oscillates */
        run_frames(world, (uint32_t)(period / 8.0 * 60.0));
        surface now = surface_now(world);
        if (now.spread < after.spread) after = now;
    }
    print_message("  spread of the radius: %.3f of the cube, %.3f after %.2f s\n", before.spread,
                  after.spread, 3.0 * period);
    assert_true(before.spread > 0.1);
    assert_at_most("area over that of a ball", 1.0 + 9.0 * after.spread * after.spread, 1.03);
    /* The outermost particles lie half a spacing below the surface. */
    assert_at_most("radius error", fabs(after.mean + 0.4 * d - radius) / radius, 0.05);
    vec3 drift = vec3_sub(centre_of(world), centre);
    assert_at_most("drift of the centre, d", (double)vec3_length(drift) / d, 0.05);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* Returns ln of the ratio of the second moments along y and across it; its zeros are half a
   period apart. */
static double stretch_of(sim_world *world)
{
    uint32_t count;
    double s[3] = {0};
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count), centre = centre_of(world);
    for (uint32_t i = 0; i < count; i++) {
        vec3 p = vec3_sub(x[i], centre);
        s[0] += (double)(p.x * p.x);
        s[1] += (double)(p.y * p.y);
        s[2] += (double)(p.z * p.z);
    }
    base_free(x);
    return log(s[1] / sqrt(s[0] * s[2]));
}

/* Rayleigh: T = 2 pi sqrt(rho R^3 / (8 sigma)); the radius is ten spacings. */
static void a_droplet_swings_with_rayleighs_period(void **state)
{
    (void)state;
    scene_data *scene = make_scene(droplet, NULL);
    sim_world *world = make_sim(device, scene);
    double period = 2.0 * PI * sqrt(1000.0 * pow(0.5, 3.0) / (8.0 * 900.0));
    double before = 0.0, zeros[2] = {0};
    uint32_t found = 0;
    for (uint32_t frame = 1; found < 2 && frame < 4 * period * 120; frame++) {
        run_frames(world, 1);
        double now = stretch_of(world), time = world->last_time_s;
        if (frame > 5 && before * now < 0.0)
            zeros[found++] = time - now / (now - before) / (double)scene->frame_rate;
        before = now;
    }
    assert_int_equal(found, 2);
    print_message("  half periods %.3f and %.3f s, Rayleigh %.3f s\n", zeros[0],
                  zeros[1] - zeros[0], 0.5 * period);
    assert_at_most("period error", fabs(zeros[1] / period - 1.0), 0.1);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void tension_between_two_fluids_keeps_momentum(void **state)
{
    (void)state;
    scene_data *scene = make_scene(two_fluids, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 30);
    weir_stats stats;
    OK(sim_stats(world, &stats));
    double mass = (double)world->last_result.sums.moment.w;
    double scale = sqrt(2.0 * stats.kinetic_energy_j * mass);
    assert_true(stats.kinetic_energy_j > 0.0);
    for (int axis = 0; axis < 3; axis++)
        assert_at_most("momentum", fabs(stats.momentum_kg_m_s[axis]) / scale, 1e-5);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_becomes_a_ball),
        cmocka_unit_test(a_droplet_swings_with_rayleighs_period),
        cmocka_unit_test(tension_between_two_fluids_keeps_momentum),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
