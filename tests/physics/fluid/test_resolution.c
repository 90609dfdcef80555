/* The same pool at another spacing, substep length and number of iterations has the same ratio
   of compression to prediction, the same height, and the same distances between particles. */
#include "device_support.h"
#include "sim_support.h"

static const char pool[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.4, 0.8, 0.4]}, 'frame_rate': 60,"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [0.4, 0.4, 0.4]}}, 'jitter': 0.3}}]}";

typedef struct pool_state {
    double compression; /* mean overdensity at the floor over the prediction */
    double height;      /* m: twice the height of the centre of mass */
    double nearest;     /* mean distance to the nearest neighbour, d */
    double least;       /* d */
} pool_state;

static void measure_pairs(const vec3 *x, uint32_t count, double d, pool_state *s)
{
    uint32_t stride = count / 256, used = 0;
    s->least = INFINITY;
    for (uint32_t i = 0; i < count; i += stride, used++) {
        double nearest = INFINITY;
        for (uint32_t k = 0; k < count; k++)
            if (k != i) nearest = fmin(nearest, (double)vec3_length(vec3_sub(x[i], x[k])));
        s->nearest += nearest / d;
        s->least = fmin(s->least, nearest / d);
    }
    s->nearest /= used;
}

static pool_state settle(const char *const *overrides)
{
    pool_state s = {0};
    scene_data *scene = make_scene(pool, overrides);
    sim_world *world = make_sim(device, scene);
    uint32_t count;
    const int frames = 10;
    run_frames(world, 40);
    for (int i = 0; i < frames; i++) {
        weir_stats stats;
        run_frames(world, 1);
        OK(sim_stats(world, &stats));
        s.compression += stats.density_error_mean / stats.predicted_compression / frames;
        s.height += 2.0 * stats.centre_of_mass_m[1] / frames;
    }
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    measure_pairs(x, count, (double)scene->spacing, &s);
    print_message(
        "  %-40s compression %.3f of the law, height %.4f m, nearest %.3f d, least %.3f d\n",
        overrides ? overrides[0] : "as it is", s.compression, s.height, s.nearest, s.least);
    base_free(x);
    sim_destroy(&world);
    scene_destroy(&scene);
    return s;
}

static void spacing_substeps_and_iterations_leave_the_pool_alike(void **state)
{
    static const char *const others[][2] = {{"spacing=0.025", NULL},
                                            {"solver.substeps=8", NULL},
                                            {"solver.substeps=2", NULL},
                                            {"solver.iterations=8", NULL}};
    pool_state base = settle(NULL);
    for (size_t i = 0; i < BASE_COUNT(others); i++) {
        pool_state s = settle(others[i]);
        assert_true(fabs(s.compression / base.compression - 1.0) <= 0.15);
        assert_true(fabs(s.height / base.height - 1.0) <= 0.03);
        assert_true(fabs(s.nearest - base.nearest) <= 0.05);
        assert_true(s.least >= 0.5);
    }
}

/* Purpose of the artificial pressure: without it, particles pair up under the paper's kernels. */
#define PAIR "solver.kernel=poly6", "solver.support_radius=2"

static void artificial_pressure_keeps_particles_apart(void **state)
{
    static const char *const pushed[] = {"solver.artificial_pressure=0.0014", PAIR, NULL};
    static const char *const without[] = {"solver.artificial_pressure=0", PAIR, NULL};
    pool_state with = settle(pushed), bare = settle(without);
    assert_true(with.nearest > bare.nearest + 0.02);
    assert_true(with.least > bare.least);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spacing_substeps_and_iterations_leave_the_pool_alike),
        cmocka_unit_test(artificial_pressure_keeps_particles_apart),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
