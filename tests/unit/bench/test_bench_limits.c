/* The limit of the device that a pass would reach first: no pass has more than 100 % of it. */
#include "bench_internal.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const weir_device_peaks peaks = {
    .copy_gb_s = 10, .cache_gb_s = 40, .atomics_g_s = 1, .fma_gflop_s = 100, .dispatch_us = 5};

static weir_pass_time pass_of(double ms, double bytes, double flops)
{
    return (weir_pass_time){.median_ms = 1.1 * ms,
                            .lower_quartile_ms = ms,
                            .bytes = bytes,
                            .gathered_bytes = bytes / 2,
                            .flops = flops,
                            .atomics = 1000};
}

static void a_pass_has_the_largest_of_its_bounds(void **state)
{
    const weir_pass_time memory = pass_of(2, 1e7, 1e6), arithmetic = pass_of(2, 1e4, 1e8);
    bench_limit most = bench_find_limit(&peaks, &memory);
    assert_string_equal(most.name, "memory");
    assert_float_equal(most.ms, 1, 1e-6); /* 10 MB at 10 GB/s */
    most = bench_find_limit(&peaks, &arithmetic);
    assert_string_equal(most.name, "arithmetic");
    assert_float_equal(most.ms, 1, 1e-6);
}

static void a_pass_beyond_a_ceiling_raises_it(void **state)
{
    weir_device_peaks reached = peaks;
    const weir_pass_time passes[] = {pass_of(0.5, 1e7, 1e6), pass_of(1, 1e4, 3e8),
                                     pass_of(1, 1e5, 1e6)};
    bench_raise_ceilings(&reached, passes, BASE_COUNT(passes));
    assert_float_equal(reached.copy_gb_s, 20, 1e-6);
    assert_float_equal(reached.fma_gflop_s, 300, 1e-6);
    assert_float_equal(reached.cache_gb_s, peaks.cache_gb_s, 1e-6);
    assert_float_equal(reached.atomics_g_s, peaks.atomics_g_s, 1e-6);
    bench_limit most = bench_find_limit(&reached, &passes[0]);
    assert_string_equal(most.name, "memory");
    assert_float_equal(most.ms, 0.5, 1e-6);
}

/* A call of a few microseconds is no measurement of a rate, and the timer's steps are coarse. */
static void a_short_pass_raises_nothing_and_is_limited_by_dispatches(void **state)
{
    weir_device_peaks reached = peaks;
    const weir_pass_time passes[] = {pass_of(0.001, 1e8, 1e8),
                                     pass_of(0, 1e8, 1e8),
                                     {.is_total = true, .lower_quartile_ms = 1, .bytes = 1e9}};
    bench_raise_ceilings(&reached, passes, BASE_COUNT(passes));
    assert_memory_equal(&reached, &peaks, sizeof peaks);
    bench_limit most = bench_find_limit(&reached, &passes[0]);
    assert_string_equal(most.name, "dispatch");
    assert_float_equal(most.ms, 0.001, 1e-9);
    assert_string_equal(bench_find_limit(&reached, &passes[2]).name, "");
}

static void no_pass_has_more_than_its_limit(void **state)
{
    uint32_t seed = 7;
    weir_pass_time passes[64];
    for (int round = 0; round < 200; round++) {
        weir_device_peaks reached = peaks;
        for (size_t i = 0; i < BASE_COUNT(passes); i++) {
            double random[3];
            for (int k = 0; k < 3; k++) {
                seed = seed * 1664525u + 1013904223u;
                random[k] = pow(10, 8.0 * seed / UINT32_MAX);
            }
            passes[i] = pass_of(random[0] * 1e-6, random[1], random[2]);
        }
        bench_raise_ceilings(&reached, passes, BASE_COUNT(passes));
        for (size_t i = 0; i < BASE_COUNT(passes); i++) {
            const double ms = bench_find_limit(&reached, &passes[i]).ms;
            assert_true(ms > 0 && ms <= passes[i].lower_quartile_ms * (1 + 1e-12));
        }
    }
}

static void without_measured_ceilings_nothing_is_known(void **state)
{
    weir_device_peaks none = {0};
    const weir_pass_time pass = pass_of(1, 1e6, 1e6);
    bench_raise_ceilings(&none, &pass, 1);
    assert_string_equal(bench_find_limit(&none, &pass).name, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_has_the_largest_of_its_bounds),
        cmocka_unit_test(a_pass_beyond_a_ceiling_raises_it),
        cmocka_unit_test(a_short_pass_raises_nothing_and_is_limited_by_dispatches),
        cmocka_unit_test(no_pass_has_more_than_its_limit),
        cmocka_unit_test(without_measured_ceilings_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
