/* Compares the statistics of a simulation with those of the reference. */
#ifndef WEIR_STATISTICS_CHECK_H
#define WEIR_STATISTICS_CHECK_H

#include "sim_pass_fixture.h"

#define SUM_TOLERANCE 2e-5 /* relative */

static void assert_sum(const char *what, double got, double expected, double scale)
{
    assert_near(what, got, expected, SUM_TOLERANCE * (fabs(expected) + scale) + 1e-12);
}

static void compare_sums(const struct sim_statistics *got, const ref_sums *e)
{
    double momentum = sqrt(2.0 * e->kinetic * e->mass), moment = 3.0 * e->mass;
    const float *vectors[2] = {&got->momentum.x, &got->moment.x};
    for (int k = 0; k < 3; k++) {
        assert_sum("momentum", (double)vectors[0][k], e->momentum[k], momentum);
        assert_sum("moment", (double)vectors[1][k], e->moment[k], moment);
    }
    assert_sum("kinetic energy", (double)got->momentum.w, e->kinetic, 0);
    assert_sum("mass", (double)got->moment.w, e->mass, 0);
    assert_sum("potential energy", (double)got->potential, e->potential, e->mass);
    /* The errors are differences of numbers near 1, each of which is rounded. */
    assert_sum("error", (double)got->error_sum, e->error_sum, e->count * 1e-3);
    assert_sum("largest error", (double)got->error_max, e->error_max, 1.0);
    assert_sum("fastest", (double)got->speed_max, e->speed_max, 0);
    assert_int_equal(got->neighbours, e->neighbours);
    assert_int_equal(got->neighbours_max, e->neighbours_max);
    assert_int_equal(got->count, e->count);
    assert_int_equal(got->non_finite, 0);
}

#endif
