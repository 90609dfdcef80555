/* The instruments from a user's view: gauges.csv, residuals, sweeps, weir validate. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"

static const char pool[] =
    "{\"name\": \"pool\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.6, 0.4]},"
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"
    " \"solver\": {\"substeps\": 2, \"iterations\": 3},"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0.1, 0], \"max\": [0.5, 0.3, 0.4]}}}}],"
    " \"solids\": [{\"name\": \"floor\", \"shape\": {\"box\":"
    " {\"min\": [-1, -1, -1], \"max\": [2, 0.1, 2]}}}],"
    " \"gauges\": [{\"name\": \"H 1\", \"height\": {\"min\": [0.1, 0.1, 0.1], \"max\": [0.4, 0.6, "
    "0.3]}},"
    "{\"name\": \"floor\", \"force\": {\"solid\": \"floor\"}}]}\n";

static size_t lines_of(const char *name)
{
    size_t lines = 0;
    read_said(name);
    for (const char *c = said; *c; ++c)
        lines += *c == '\n';
    return lines;
}

static int open_scratch(void **state)
{
    (void)state;
    if (make_scratch("/tmp/weir-instruments-XXXXXX") != 0) return -1;
    write_scratch("pool.json", pool);
    return 0;
}

/* ---- gauges --------------------------------------------------------------------------------- */

static void gauges_get_a_row_for_each_frame(void **state)
{
    (void)state;
    assert_status("$W run pool.json -o a --particles none -q", DONE);
    assert_int_equal(lines_of("a/gauges.csv"), 1 + 6);
    assert_said("frame,time_s,H_1_m,floor_x_n,floor_y_n,floor_z_n\n1,");
}

static void gauges_get_a_row_for_each_substep_when_asked(void **state)
{
    (void)state;
    assert_status("$W run pool.json -o b --particles none --gauges substep -q", DONE);
    assert_int_equal(lines_of("b/gauges.csv"), 1 + 12);
    assert_said("frame,time_s,substep,H_1_m");
    assert_status("$W run b/run.json -o b2 -q", DONE); /* run.json stores the interval */
    assert_int_equal(lines_of("b2/gauges.csv"), 1 + 12);
}

static void a_resumed_run_goes_on_with_its_gauges(void **state)
{
    (void)state;
    assert_status("$W run pool.json -o c --particles none --checkpoint-interval 2 --frames 0:2 -q",
                  DONE);
    assert_int_equal(lines_of("c/gauges.csv"), 1 + 2);
    assert_status("$W run pool.json -o c --particles none --resume --frames 0:6 -q", DONE);
    assert_int_equal(lines_of("c/gauges.csv"), 1 + 6);
    assert_status("cmp a/gauges.csv c/gauges.csv", DONE);
}

static void a_gauge_that_cannot_be_read_is_refused(void **state)
{
    (void)state;
    assert_status("$W run pool.json -o d -q --set gauges[1].force.solid=flor", FAILED);
    assert_said("gauges[1].force.solid");
    assert_said("did you mean \"floor\"?");
    assert_status("$W run pool.json -o d -q --set solver.chebyshev_spectral_radius=0.9", FAILED);
    assert_said("set solver.chebyshev_spectral_radius to 0 and solver.method to");
    assert_status("$W run pool.json -o d -q --set solver.long_range_correction=on", FAILED);
    assert_said("gauges[1].force");
    assert_said("set solver.long_range_correction to \"off\"");
    assert_status("$W run pool.json -o d -q --set gauges[0].height.min=[9,9,9]", FAILED);
    assert_said("gauges[0].height");
}

/* ---- residuals and sweeps ------------------------------------------------------------------- */

static void residuals_get_a_row_for_each_iteration(void **state)
{
    (void)state;
    assert_status("$W run pool.json -o e --particles none --residuals r.csv -q", DONE);
    assert_int_equal(lines_of("r.csv"), 1 + 6 * 2 * 3);
    assert_said("frame,substep,iteration,error_mean,error_max\n1,0,0,");
    assert_said("\n6,1,2,");
}

static void a_sweep_makes_a_run_for_each_value_and_one_table(void **state)
{
    (void)state;
    assert_status("$W run pool.json -o f --particles none --sweep solver.iterations=1,2 -q", DONE);
    assert_said("solver.iterations=1");
    assert_int_equal(lines_of("f/sweep.csv"), 3);
    assert_said("\n\"solver.iterations=2\",ok,6,");
    assert_int_equal(lines_of("f/solver.iterations=1/stats.csv"), 8);
    assert_status("$W run pool.json -o g --particles none --sweep 'gravity=[0,-1,0],nothing' -q",
                  FAILED); /* the first one runs, the second is refused */
    assert_int_equal(lines_of("g/sweep.csv"), 3);
    assert_said("\"gravity=nothing\",scene refused,0,");
    assert_status("$W run pool.json --sweep solver.iterations=1", WRONG_USE);
    assert_status("$W run pool.json -o h --sweep solver.iterations", WRONG_USE);
    assert_said("KEY=VALUE");
}

/* ---- validate ------------------------------------------------------------------------------- */

static void validate_lists_its_gates_and_refuses_others(void **state)
{
    (void)state;
    assert_status("$W validate --list", DONE);
    assert_said("G2  response");
    assert_status("$W validate respones", WRONG_USE);
    assert_said("did you mean \"response\"?");
    assert_status("$W validate --help", DONE);
    assert_said("Examples:\n  weir validate");
}

static void validate_writes_what_it_found(void **state)
{
    (void)state;
    assert_status("$W validate kernels -o v --csv v.csv --json v.json -q", DONE);
    assert_said("0 missed");
    read_said("v.csv");
    assert_said("G0,kernels,");
    assert_said(",held,weir validate kernels\n");
    read_said("v.json");
    assert_said("\"driver\": ");
    assert_said("\"verdict\": \"held\"");
    assert_said("\"setup\": \"3-D, 401 particles, a start of its own, no viscosity\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gauges_get_a_row_for_each_frame),
        cmocka_unit_test(gauges_get_a_row_for_each_substep_when_asked),
        cmocka_unit_test(a_resumed_run_goes_on_with_its_gauges),
        cmocka_unit_test(a_gauge_that_cannot_be_read_is_refused),
        cmocka_unit_test(residuals_get_a_row_for_each_iteration),
        cmocka_unit_test(a_sweep_makes_a_run_for_each_value_and_one_table),
        cmocka_unit_test(validate_lists_its_gates_and_refuses_others),
        cmocka_unit_test(validate_writes_what_it_found),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
