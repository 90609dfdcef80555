/* Surface tension: the shape that it gives a cube, and that it causes no net motion. */
#include "device_support.h"
#include "scene_text.h"
#include "sim_support.h"

#define PI 3.14159265358979323846
#define SIDE 12u /* particles along an edge */

static const char cube[] = "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 60,"
                           " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]},"
                           " 'fluids': [{'name': 'water', 'xsph': 0, 'surface_tension': 900,"
                           " 'fill': {'shape': {'box': {'size': [0.6, 0.6, 0.6]}}}}]}";

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

/* Water with 4 substeps of 1/240 s, 0.99 of the capillary limit. With the force at the positions at
   the start of a substep, the drop boils at 29 mm/s for ever. */
static void a_drop_at_the_capillary_limit_comes_to_rest(void **state)
{
    static const char drop[] =
        "{'spacing': 0.0025, 'gravity': [0, 0, 0], 'frame_rate': 60,"
        " 'domain': {'min': [-0.05, -0.05, -0.05], 'max': [0.05, 0.05, 0.05]},"
        " 'fluids': [{'name': 'water', 'surface_tension': 0.072,"
        " 'fill': {'shape': {'sphere': {'radius': 0.02}}}}]}";
    scene_data *scene = make_scene(drop, NULL);
    sim_world *world = make_sim(device, scene);
    weir_stats stats;
    run_frames(world, 60);
    OK(sim_stats(world, &stats));
    double mass = (double)world->last_result.sums.moment.w;
    assert_at_most("rms speed after 1 s, m/s", sqrt(2.0 * stats.kinetic_energy_j / mass), 0.01);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void tension_between_two_fluids_keeps_momentum(void **state)
{
    scene_data *scene = make_scene(scene_text("surface_tension_two_fluids"), NULL);
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
        cmocka_unit_test(a_drop_at_the_capillary_limit_comes_to_rest),
        cmocka_unit_test(tension_between_two_fluids_keeps_momentum),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
