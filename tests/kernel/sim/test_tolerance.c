/* Tests iterations that a tolerance ends: the error it is compared with, the passes that still run,
 * and the reported values. */
#include "device_support.h"
#include "scene_text.h"
#include "sim_pass_fixture.h"

typedef struct run {
    scene_data *scene;
    sim_world *world;
} run;

static run begin_on(gpu_device *on, const char *const *overrides)
{
    run r = {.scene = make_scene(scene_text("tolerance"), overrides)};
    r.world = make_sim_sized(on, r.scene, 4000);
    return r;
}

static run begin(const char *const *overrides)
{
    return begin_on(quick, overrides);
}

static void end(run *r)
{
    sim_destroy(&r->world);
    scene_destroy(&r->scene);
}

/* ---- compared error ------------------------------------------------------------------------- */

static void check_sums(stage *s)
{
    sim_world *world = s->world;
    ivec4 *a = fixed(s, world->buffers.iterated_positions);
    uint32_t *errors = download(world, world->buffers.density_errors, SIM_DENSITY_ERRORS_WORDS, 4),
             above = 0;
    double sum = 0.0, most = 0.0, rounding = 2e-6;
    for (uint32_t i = 0; i < s->count; i++) {
        double error = (double)ref_density(&s->pbf, a, i) - 1.0;
        sum += fmax(error, 0.0);
        most = fmax(most, error);
        above += error > (double)s->params.tolerance_max;
    }
    double found =
        errors[SIM_DENSITY_ERRORS_SUM_HIGH] * 4294967296.0 + errors[SIM_DENSITY_ERRORS_SUM_LOW];
    float largest;
    memcpy(&largest, &errors[SIM_DENSITY_ERRORS_MAX], 4);
    assert_true(most > 0.1 && above > s->count / 10);
    assert_true(fabs(found / SIM_DENSITY_ERROR_FINE_UNITS - sum) < rounding * (1.0 + s->count));
    assert_true(fabs((double)largest - most) < 1e-5);
    assert_in_range(errors[SIM_DENSITY_ERRORS_ABOVE], above - 1, above + 1);
    base_free(a);
    base_free(errors);
}

static void the_error_is_that_of_the_reference(void **state)
{
    static const char *const pcisph[] = {"solver.method=pcisph", "solids=[]", NULL};
    for (int method = 0; method < 2; method++) {
        run r = begin(method ? pcisph : NULL);
        stage s;
        enter(&s, r.world, 1000, "check_convergence");
        check_sums(&s);
        free_lists(&s.lists);
        end(&r);
    }
}

/* Runs the deciding pass with these errors in every iteration; returns the iteration in which it
 * ended the loop, or GPU_LOOP_RUNS if it did not within three. */
static uint32_t decide(stage *s, double mean, uint32_t above)
{
    static uint32_t errors[SIM_DENSITY_ERRORS_WORDS];
    const struct gpu_loop running = {1, 1, 1, GPU_LOOP_RUNS};
    struct sim_status status = s->status;
    struct gpu_loop loop;
    sim_world *world = s->world;
    status.iterations_done = 0;
    double sum = rint(mean * SIM_DENSITY_ERROR_FINE_UNITS * s->count);
    for (uint32_t k = 0; k < SIM_MAX_ITERATIONS; k++) {
        errors[SIM_DENSITY_ERRORS_SUM_HIGH + k] = (uint32_t)(sum / 4294967296.0);
        errors[SIM_DENSITY_ERRORS_SUM_LOW + k] = (uint32_t)fmod(sum, 4294967296.0);
        errors[SIM_DENSITY_ERRORS_ABOVE + k] = above;
    }
    upload(world, world->buffers.density_errors, errors, sizeof errors);
    upload(world, world->buffers.loops, &running, sizeof running);
    upload(world, world->buffers.status, &status, sizeof status);
    gpu_pass pass = world->passes[s->pass];
    pass.group = "turns";
    pass.repeat = 3;
    OK(gpu_run_passes(world->device, &pass, 1));
    OK(gpu_buffer_download(world->device, world->buffers.loops, 0, &loop, sizeof loop));
    refresh(s);
    assert_int_equal(s->status.iterations_done, loop.ended != GPU_LOOP_RUNS);
    assert_int_equal(loop.groups_x, loop.ended == GPU_LOOP_RUNS);
    return loop.ended;
}

static void two_iterations_at_least_and_then_both_errors_count(void **state)
{
    static const char *const open[] = {"solids=[]", "domain.max=[1, 1, 1]", NULL};
    run r = begin_on(checked, open);
    stage s;
    enter(&s, r.world, 3500, "check_convergence");
    assert_int_equal(s.count, 3500);
    assert_int_equal(decide(&s, 0.0, 0), 2);
    assert_int_equal(decide(&s, 0.0039, 0), 2);
    assert_int_equal(decide(&s, 0.0041, 0), GPU_LOOP_RUNS);
    assert_int_equal(decide(&s, 256.0 / 3500.0, 0), GPU_LOOP_RUNS); /* a sum of 2^32 */
    assert_int_equal(decide(&s, 0.0039, 3), 2);                     /* three of 3500 may deviate */
    assert_int_equal(decide(&s, 0.0039, 4), GPU_LOOP_RUNS);
    free_lists(&s.lists);
    end(&r);
}

/* ---- effect on a run ------------------------------------------------------------------------ */

static uint64_t hash_after(const char *const *overrides, uint32_t frames, uint32_t *missed)
{
    uint64_t hash = 0;
    run r = begin(overrides);
    *missed = 0;
    for (uint32_t f = 0; f < frames; f++) {
        run_frames(r.world, 1);
        *missed += r.world->last_result.status.frame_unconverged;
    }
    OK(sim_hash(r.world, &hash));
    end(&r);
    return hash;
}

static void a_tolerance_out_of_reach_leaves_the_bits_of_the_fixed_count(void **state)
{
    static const char *const none = "solver.tolerance={}";
    static const char *const tiny = "solver.tolerance={\"mean\": 1e-9}";
    static const char *const others[][2] = {{"name=plain", NULL},
                                            {"solver.chebyshev_spectral_radius=0.9", NULL},
                                            {"solver.long_range_correction=on", NULL},
                                            {"solids=[]", "solver.method=pcisph"}};
    for (size_t i = 0; i < BASE_COUNT(others); i++) {
        const char *const fixed[] = {none, others[i][0], others[i][1], NULL};
        const char *const tolerant[] = {tiny, others[i][0], others[i][1], NULL};
        uint32_t missed = 0;
        uint64_t expected = hash_after(fixed, 4, &missed);
        assert_int_equal(missed, 0);
        assert_true(hash_after(tolerant, 4, &missed) == expected);
        assert_int_equal(missed, 4);
    }
}

/* The statistics measure the density again at the end of the frame, here the end of its only
 * substep. */
static void the_error_reported_is_that_of_the_positions_kept(void **state)
{
    static const char *const pcisph[] = {"solver.method=pcisph", "solids=[]", NULL};
    for (int method = 0; method < 2; method++) {
        run r = begin(method ? pcisph : NULL);
        uint32_t ended = 0;
        for (int f = 0; f < 12; f++) {
            weir_stats stats;
            run_frames(r.world, 1);
            OK(sim_stats(r.world, &stats));
            assert_true(fabs(stats.solver_error_mean - stats.density_error_mean) < 1e-6);
            assert_true(fabs(stats.solver_error_max - stats.density_error_max) < 1e-5);
            assert_in_range(stats.iterations_in_frame, 2, 12);
            ended += stats.iterations_in_frame < 12;
            assert_true(stats.unconverged_substeps || stats.solver_error_mean <= 0.004);
        }
        assert_true(ended > 2);
        end(&r);
    }
}

static uint32_t calls_of(run *r, const char *name)
{
    weir_pass_time times[64];
    uint32_t count = BASE_COUNT(times);
    OK(sim_pass_times(r->world, times, &count));
    for (uint32_t i = 0; i < count && i < BASE_COUNT(times); i++)
        if (strcmp(times[i].name, name) == 0) return times[i].calls;
    fail_msg("no pass is called %s", name);
    return 0;
}

static void passes_that_did_not_run_are_no_calls(void **state)
{
    enum { FRAMES = 12 };
    run r = begin(NULL);
    run_frames(r.world, 1);
    /* Later frames record all iterations, so none is replayed, in which passes would run again. */
    r.world->expected_repetitions[SIM_SOLVE_DENSITY] = 1000;
    uint32_t before = r.world->last_result.status.total_iterations;
    sim_pass_times_reset(r.world); /* counts passes from here on */
    run_frames(r.world, FRAMES);
    uint32_t done = r.world->last_result.status.total_iterations - before;
    assert_in_range(done, 2 * FRAMES, 12 * FRAMES - 1);
    assert_int_equal(calls_of(&r, "position_correction"), done);
    assert_int_equal(calls_of(&r, "lambda"), done + FRAMES);
    assert_int_equal(calls_of(&r, "check_convergence"), done + FRAMES);
    assert_int_equal(calls_of(&r, "update_velocity"), FRAMES);
    end(&r);
}

static void residuals_are_those_of_the_iterations_measured(void **state)
{
    static const char *const overrides[] = {"solver.residuals=true", NULL};
    run r = begin(overrides);
    run_frames(r.world, 6);
    weir_residual residuals[32];
    uint32_t count = BASE_COUNT(residuals);
    OK(sim_residuals(r.world, 0, residuals, &count));
    const struct sim_status *status = &r.world->last_result.status;
    assert_int_equal(count, status->frame_iterations + 1);
    assert_true(fabs(residuals[count - 1].mean - (double)status->frame_error_mean) < 1e-5);
    assert_true(residuals[count - 1].max == (double)status->frame_error_max);
    assert_true(residuals[0].mean > residuals[count - 1].mean);
    end(&r);
}

/* Passes dispatched in parts do not take their arguments from the loop. */
static void passes_in_chunks_end_too(void **state)
{
    uint64_t hashes[2] = {0}, whole = gpu_device_storage_range(quick);
    for (int chunked = 0; chunked < 2; chunked++) {
        run r = begin(NULL);
        if (chunked) {
            uint64_t bytes = gpu_buffer_size(grid_lists(r.world->grid));
            gpu_device_limit_storage_range(quick, bytes / 2);
            OK(sim_build_passes(r.world));
        }
        run_frames(r.world, 8);
        assert_true(r.world->last_result.status.total_iterations < 8 * 12);
        OK(sim_hash(r.world, &hashes[chunked]));
        gpu_device_limit_storage_range(quick, whole);
        end(&r);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_that_of_the_reference),
        cmocka_unit_test(two_iterations_at_least_and_then_both_errors_count),
        cmocka_unit_test(a_tolerance_out_of_reach_leaves_the_bits_of_the_fixed_count),
        cmocka_unit_test(the_error_reported_is_that_of_the_positions_kept),
        cmocka_unit_test(passes_that_did_not_run_are_no_calls),
        cmocka_unit_test(residuals_are_those_of_the_iterations_measured),
        cmocka_unit_test(passes_in_chunks_end_too),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
