/* The time model behind `weir bench --predict` (docs/gpus.md): one small case for each of its
   limits, on a GPU and with shaders of round numbers, so that each time can be computed by hand.
   A dispatch adds 2 us to each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench_internal.h"

/* 100 units of 50 lanes at 2 GHz: 1e10 lane instructions per ms, of which 85 % are usable. */
static const bench_gpu round_gpu = {.name = "Round",
                                    .units = 100,
                                    .lanes = 50,
                                    .clock_ghz = 2,
                                    .memory_gb_s = 1000, /* 90 %: 900 MB per ms */
                                    .cache_mb = 10,
                                    .cache_gb_s = 2000, /* 90 %: 1,800 MB per ms */
                                    .near_bytes = 50,   /* all units together: 1e10 bytes per ms */
                                    .registers_kib = 225,
                                    .lanes_held = 1000};

/* Replaces src/app/bench/instructions.c; found by name. */
const bench_shader bench_instructions[] = {
    {"full", 85, 0, 0, 256}, /* 225 KiB hold 225 lanes of 256 registers */
    {"full_pairs", 1, 2, 3, 256}, {"lean", 85, 0, 0, 16},
    {"listed", 25, 2, 3, 16}, /* with 30 neighbours 85 instructions, 115 with compact lists */
    {"one", 400000, 0, 0, 16},
};
const size_t bench_instructions_count = BASE_COUNT(bench_instructions);

/* Makes a substep that runs each of these passes once, with 30 neighbours. */
static bench_result substep_of(const weir_pass_time *passes, uint32_t count)
{
    bench_result result = {.pass_count = count, .substeps = 1};
    result.stats.neighbours_mean = 30;
    for (uint32_t i = 0; i < count; i++) {
        result.passes[i] = passes[i];
        result.passes[i].calls = 1;
    }
    return result;
}

static void assert_bound(const bench_gpu *gpu, const bench_result *result, uint32_t pass,
                         bench_limit expected)
{
    bench_limit got = bench_predict_pass(gpu, result, &result->passes[pass]);
    double off = got.ms / (expected.ms + 0.002) - 1;
    if (strcmp(got.name, expected.name) != 0 || !(off > -1e-9 && off < 1e-9))
        fail_msg("%s: %.9f ms by %s, expected %.9f by %s", result->passes[pass].name, got.ms,
                 got.name, expected.ms + 0.002, expected.name);
}

static void assert_alone(const bench_gpu *gpu, weir_pass_time pass, bench_limit expected)
{
    bench_result result = substep_of(&pass, 1);
    assert_bound(gpu, &result, 0, expected);
}

static void bytes_pass_the_memory(void **state)
{
    (void)state;
    assert_alone(&round_gpu, (weir_pass_time){.name = "lean", .bytes = 900e6},
                 (bench_limit){"memory", 1});
}

/* 5 MB are half of the cache. */
static void what_fits_half_of_the_last_cache_passes_that(void **state)
{
    (void)state;
    assert_alone(&round_gpu, (weir_pass_time){.name = "lean", .bytes = 4.5e6},
                 (bench_limit){"memory", 4.5 / 1800});
    assert_alone(&round_gpu, (weir_pass_time){.name = "lean", .bytes = 5.4e6},
                 (bench_limit){"memory", 5.4 / 900});
}

/* 100 units with 225 lanes that each wait 600 ns for 16 bytes fetch 600 GB/s, less than the
   memory provides. In a loop over pairs a lane waits for 64 bytes, and the memory is the limit
   again. */
static void lanes_that_a_unit_holds_limit_what_is_fetched(void **state)
{
    (void)state;
    bench_gpu shallow = round_gpu;
    shallow.lanes_held = 225;
    assert_alone(&round_gpu, (weir_pass_time){.name = "full", .bytes = 600e6},
                 (bench_limit){"memory", 1});
    assert_alone(&round_gpu, (weir_pass_time){.name = "full_pairs", .bytes = 900e6},
                 (bench_limit){"memory", 1});
    assert_alone(&shallow, (weir_pass_time){.name = "lean", .bytes = 600e6},
                 (bench_limit){"memory", 1});
}

static void what_pairs_fetch_passes_the_near_cache(void **state)
{
    (void)state;
    assert_alone(&round_gpu, (weir_pass_time){.name = "lean", .gathered_bytes = 1e10},
                 (bench_limit){"cache", 1});
}

/* 1e8 invocations of 85 instructions. */
static void lanes_start_an_instruction_in_a_clock(void **state)
{
    (void)state;
    const bench_limit one = {"instructions", 1};
    assert_alone(&round_gpu, (weir_pass_time){.name = "lean", .elements = 1e8, .per_invocation = 1},
                 one);
    assert_alone(&round_gpu,
                 (weir_pass_time){.name = "listed", .elements = 1e8, .per_invocation = 1}, one);
    /* half of the invocations, with 25 + 2 * 60 instructions each */
    assert_alone(&round_gpu,
                 (weir_pass_time){.name = "listed", .elements = 1e8, .per_invocation = 2},
                 (bench_limit){"instructions", 0.5 * 145 / 85});
    /* a shader that tools/isa does not list takes two per operation: 2 * 42.5 */
    assert_alone(
        &round_gpu,
        (weir_pass_time){.name = "unlisted", .elements = 1e8, .per_invocation = 1, .flops = 42.5e8},
        one);
}

static void a_unit_does_an_atomic_in_a_clock(void **state)
{
    (void)state;
    assert_alone(&round_gpu, (weir_pass_time){.name = "lean", .atomics = 2e8},
                 (bench_limit){"atomics", 1});
}

/* 400,000 instructions, each 5 clocks after the previous one. */
static void an_invocation_alone_waits_for_each_of_its_instructions(void **state)
{
    (void)state;
    assert_alone(&round_gpu, (weir_pass_time){.name = "one", .elements = 1, .per_invocation = 1},
                 (bench_limit){"latency", 1});
}

/* Work of 1 us after a dispatch of 2 us. */
static void the_dispatch_is_the_limit_of_what_is_shorter(void **state)
{
    (void)state;
    assert_alone(&round_gpu, (weir_pass_time){.name = "lean", .atomics = 2e5},
                 (bench_limit){"dispatch", 0.001});
}

/* Makes a pass over 10 M particles that reads 300 MB and its lists: 1,200 MB wide, 600 MB
   compact. */
static weir_pass_time reader(double pair_bytes)
{
    return (weir_pass_time){.name = "listed",
                            .elements = 1e7,
                            .per_invocation = 1,
                            .pair_bytes = pair_bytes,
                            .bytes = 300e6 + 300e6 * pair_bytes};
}

/* Compact on that GPU, whatever they are here: 900 MB instead of 1,500. */
static void lists_are_of_the_kind_that_takes_less_time_there(void **state)
{
    (void)state;
    for (double pair_bytes = 2; pair_bytes <= 4; pair_bytes += 2)
        assert_alone(&round_gpu, reader(pair_bytes), (bench_limit){"memory", 1});
}

/* Compact lists reduce one pass from 1,500 MB to 900, and raise nine calls of another from 85
   instructions to 115: lists are wide for both. */
static void one_kind_of_lists_serves_the_whole_substep(void **state)
{
    (void)state;
    const weir_pass_time passes[] = {{.name = "listed", .elements = 1e8, .per_invocation = 1},
                                     reader(2)};
    bench_result result = substep_of(passes, 2);
    result.passes[0].calls = 9;
    assert_bound(&round_gpu, &result, 0, (bench_limit){"instructions", 1});
    assert_bound(&round_gpu, &result, 1, (bench_limit){"memory", 1.5 / 0.9});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_pass_the_memory),
        cmocka_unit_test(what_fits_half_of_the_last_cache_passes_that),
        cmocka_unit_test(lanes_that_a_unit_holds_limit_what_is_fetched),
        cmocka_unit_test(what_pairs_fetch_passes_the_near_cache),
        cmocka_unit_test(lanes_start_an_instruction_in_a_clock),
        cmocka_unit_test(a_unit_does_an_atomic_in_a_clock),
        cmocka_unit_test(an_invocation_alone_waits_for_each_of_its_instructions),
        cmocka_unit_test(the_dispatch_is_the_limit_of_what_is_shorter),
        cmocka_unit_test(lists_are_of_the_kind_that_takes_less_time_there),
        cmocka_unit_test(one_kind_of_lists_serves_the_whole_substep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
