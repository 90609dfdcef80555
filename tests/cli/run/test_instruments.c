/* The instruments from a user's view: gauges.csv, residuals, sweeps. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "scene_text.h"

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
    if (make_scratch("/tmp/weir-instruments-XXXXXX") != 0) return -1;
    write_scratch("pool.json", scene_text("instruments_pool"));
    return 0;
}

/* ---- gauges --------------------------------------------------------------------------------- */

static void gauges_get_a_row_for_each_frame(void **state)
{
    assert_status("$W run pool.json -o a --particles none -q", DONE);
    assert_int_equal(lines_of("a/gauges.csv"), 1 + 6);
    assert_said("frame,time_s,H_1_m,floor_x_n,floor_y_n,floor_z_n\n1,");
}

static void gauges_get_a_row_for_each_substep_when_asked(void **state)
{
    assert_status("$W run pool.json -o b --particles none --gauges substep -q", DONE);
    assert_int_equal(lines_of("b/gauges.csv"), 1 + 12);
    assert_said("frame,time_s,substep,H_1_m");
    assert_status("$W run b/run.json -o b2 -q", DONE); /* run.json stores the interval */
    assert_int_equal(lines_of("b2/gauges.csv"), 1 + 12);
}

static void a_resumed_run_goes_on_with_its_gauges(void **state)
{
    assert_status("$W run pool.json -o c --particles none --checkpoint-interval 2 --frames 0:2 -q",
                  DONE);
    assert_int_equal(lines_of("c/gauges.csv"), 1 + 2);
    assert_status("$W run pool.json -o c --particles none --resume --frames 0:6 -q", DONE);
    assert_int_equal(lines_of("c/gauges.csv"), 1 + 6);
    assert_status("cmp a/gauges.csv c/gauges.csv", DONE);
}

static void a_gauge_that_cannot_be_read_is_refused(void **state)
{
    assert_status("$W run pool.json -o d -q --set gauges[1].force.solid=flor", FAILED);
    assert_said("gauges[1].force.solid");
    assert_said("did you mean \"floor\"?");
    assert_status("$W run pool.json -o d -q --set solver.chebyshev_spectral_radius=0.9", FAILED);
    assert_said("cannot measure pressure with \"pcisph\" or with solver.chebyshev_spectral_radius; "
                "set solver.chebyshev_spectral_radius to 0 and choose another solver.method");
    assert_status("$W run pool.json -o d -q --set solver.long_range_correction=on", FAILED);
    assert_said("gauges[1].force");
    assert_said("set solver.long_range_correction to \"off\"");
    assert_status("$W run pool.json -o d -q --set gauges[0].height.min=[9,9,9]", FAILED);
    assert_said("gauges[0].height");
}

/* ---- residuals and sweeps ------------------------------------------------------------------- */

static void residuals_get_a_row_for_each_iteration(void **state)
{
    assert_status("$W run pool.json -o e --particles none --residuals r.csv -q", DONE);
    assert_int_equal(lines_of("r.csv"), 1 + 6 * 2 * 3);
    assert_said("frame,substep,iteration,error_mean,error_max\n1,0,0,");
    assert_said("\n6,1,2,");
}

static void a_sweep_makes_a_run_for_each_value_and_one_table(void **state)
{
    assert_status("$W run pool.json -o f --particles none --sweep solver.iterations=1,2 -q", DONE);
    assert_said("solver.iterations=1");
    assert_int_equal(lines_of("f/sweep.csv"), 3);
    assert_said("\n\"solver.iterations=2\",ok,6,");
    assert_int_equal(lines_of("f/solver.iterations=1/stats.csv"), 8);
    assert_status("$W run pool.json -o g --particles none --sweep 'gravity=[0,-1,0],nothing' -q",
                  FAILED); /* the first one runs, the second is refused */
    assert_int_equal(lines_of("g/sweep.csv"), 3);
    assert_said("\"gravity=nothing\",invalid scene,0,");
    assert_status("$W run pool.json --sweep solver.iterations=1", WRONG_USE);
    assert_status("$W run pool.json -o h --sweep solver.iterations", WRONG_USE);
    assert_said("KEY=A,B,C");
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
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
