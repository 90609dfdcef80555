/* A reachable tolerance is met with only the necessary iterations, and an unreachable one is
   reported. */
#include "told_support.h"

/* A pool in the plane, 12 layers of 20 particles, shaken. */
static const char pool[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 2, 0.05]}, 'frame_rate': 60,"
    " 'solver': {'dimensions': 2, 'substeps': 4, 'iterations': 40, 'tolerance': {'mean': 0.004}},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [1, 0.6, 0.05]}}, 'jitter': 0.1}}]}";

/* Averages over a run, after the frames that it takes to settle. */
typedef struct outcome {
    double iterations; /* mean per substep */
    double worst_mean, worst_max;
    uint32_t missed;
} outcome;

static outcome run(const char *const *overrides, uint32_t settle, uint32_t frames)
{
    outcome out = {0};
    scene_data *scene = make_scene(pool, overrides);
    sim_world *world = make_sim(device, scene);
    run_frames(world, settle);
    for (uint32_t f = 0; f < frames; f++) {
        weir_stats stats;
        run_frames(world, 1);
        OK(sim_stats(world, &stats));
        out.iterations += (double)stats.iterations_in_frame / stats.substeps_in_frame / frames;
        out.worst_mean = fmax(out.worst_mean, stats.solver_error_mean);
        out.worst_max = fmax(out.worst_max, stats.solver_error_max);
        out.missed += stats.unconverged_substeps;
        assert_true(stats.density_error_mean <= stats.solver_error_mean + 1e-6);
    }
    sim_destroy(&world);
    scene_destroy(&scene);
    return out;
}

static void check_need(const char *method)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "solver.method=%s", method);
    outcome pool_at_rest = run((const char *[]){wanted, NULL}, 30, 20);
    outcome deeper =
        run((const char *[]){wanted, "fluids[0].fill.shape.box.max=[1, 0.9, 0.05]", NULL}, 30, 20);
    outcome stricter = run((const char *[]){wanted, "solver.tolerance.mean=0.002", NULL}, 30, 20);
    outcome falling = run((const char *[]){wanted, "fluids[0].fill.jitter=0",
                                           "fluids[0].fill.shape.box.min=[0.2, 1.2, 0]",
                                           "fluids[0].fill.shape.box.max=[0.8, 1.8, 0.05]", NULL},
                          5, 10);
    print_message("  %s: iterations at rest %.1f, deeper %.1f, stricter %.1f, falling %.1f\n",
                  method, pool_at_rest.iterations, deeper.iterations, stricter.iterations,
                  falling.iterations);
    const outcome *all[] = {&pool_at_rest, &deeper, &stricter, &falling};
    for (size_t i = 0; i < BASE_COUNT(all); i++) {
        assert_int_equal(all[i]->missed, 0);
        assert_true(all[i]->worst_mean <= (all[i] == &stricter ? 0.002 : 0.004));
    }
    assert_true(fabs(falling.iterations - 2.0) < 1e-9);
    assert_true(pool_at_rest.iterations > 2.5);
    assert_true(deeper.iterations > 1.2 * pool_at_rest.iterations);
    assert_true(stricter.iterations > 1.3 * pool_at_rest.iterations);
}

static void the_tolerance_is_met_and_iterations_follow_the_need(void **state)
{
    check_need("pbf");
    check_need("pcisph");
}

static void a_tolerance_out_of_reach_is_reported_once_and_counted(void **state)
{
    static const char *const hard[] = {"solver.tolerance={\"mean\": 1e-5, \"max\": 1e-3}",
                                       "solver.iterations=6", NULL};
    said[0] = '\0';
    outcome out = run(hard, 0, 10);
    assert_int_equal(out.missed, 40);
    assert_true(fabs(out.iterations - 6.0) < 1e-9);
    assert_true(out.worst_mean > 1e-5 && out.worst_max > 1e-3);
    const char *at =
        strstr(said, "4 of 4 substeps of a frame did not meet the tolerance: after 6 iterations");
    assert_non_null(at);
    assert_null(strstr(at + 40, "of a frame did not meet the tolerance"));
    assert_non_null(strstr(at, "solver.tolerance.mean is 0.001 %"));
    assert_non_null(strstr(at, "solver.tolerance.max, 0.1 %"));
    assert_non_null(strstr(at, "raise solver.iterations or solver.substeps"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tolerance_is_met_and_iterations_follow_the_need),
        cmocka_unit_test(a_tolerance_out_of_reach_is_reported_once_and_counted),
    };
    return cmocka_run_group_tests(tests, open_listening_device, close_device);
}
