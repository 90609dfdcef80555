/* Predicts the time of a pass on a GPU that is not available: the tightest of its bounds, from the
 * pass's declared work and its compiled instructions. Lists are of the kind that makes a substep
 * faster on that GPU, whatever they are here. docs/gpus.md lists the assumptions. */
#include "bench_internal.h"

#include <ctype.h>
#include <stdlib.h>

#define BUSY 0.85        /* fraction of a wave's lanes in use, since lists differ in length */
#define STREAMED 0.9     /* fraction of the memory bandwidth that a copy reaches */
#define DISPATCH_US 2.0  /* a dispatch and the barrier before it */
#define LATENCY_NS 600.0 /* of a memory fetch under load */
#define FETCH_BYTES 16.0 /* that a lane waits for; a loop over pairs has four in flight */
#define ISSUE_CLOCKS 5.0 /* from one instruction of a wave to the next one that depends on it */
#define WIDE_BYTES 4.0   /* of a list entry */
#define COMPACT_BYTES 2.0

static const bench_gpu gpus[] = {
    {"H100 SXM", 132, 128, 1.755, 3350, 50, 5500, 128, 256, 2048},
    {"H200", 132, 128, 1.755, 4800, 50, 5500, 128, 256, 2048},
    {"RTX 4090", 128, 128, 2.52, 1008, 72, 5000, 128, 256, 1536},
    {"RX 7900 XTX", 96, 64, 2.5, 960, 96, 3500, 64, 384, 2048},
    {"Arc A770", 32, 128, 2.1, 560, 16, 2000, 64, 512, 4096},
    {"Apple M2 Max", 38, 128, 1.398, 400, 48, 800, 64, 208, 1024},
};

/* Converts to lower case and removes blanks. */
static void normalize_name(const char *text, char *out, size_t size)
{
    size_t count = 0;
    for (; *text && count + 1 < size; ++text)
        if (*text != ' ') out[count++] = (char)tolower((unsigned char)*text);
    out[count] = '\0';
}

const bench_gpu *bench_find_gpu(const char *text)
{
    char wanted[64], name[64];
    const bench_gpu *found = NULL;
    uint32_t matches = 0;
    normalize_name(text, wanted, sizeof wanted);
    for (size_t i = 0; i < BASE_COUNT(gpus); ++i) {
        normalize_name(gpus[i].name, name, sizeof name);
        if (!wanted[0] || !strstr(name, wanted)) continue;
        found = &gpus[i];
        matches++;
    }
    if (matches == 1) return found;
    fprintf(stderr, "weir: --predict knows %s called \"%s\"; give a part of one of these names: ",
            matches ? "several GPUs" : "no GPU", text);
    for (size_t i = 0; i < BASE_COUNT(gpus); ++i)
        fprintf(stderr, "%s%s", gpus[i].name, i + 1 < BASE_COUNT(gpus) ? ", " : "\n");
    return NULL;
}

static int compare_names(const void *name, const void *shader)
{
    return strcmp(name, ((const bench_shader *)shader)->name);
}

/* Returns the compiled shader of a pass. For a shader that tools/isa does not list, assumes two
 * instructions per counted operation. */
static bench_shader shader_of(const weir_pass_time *pass)
{
    const bench_shader *known = bsearch(pass->name, bench_instructions, bench_instructions_count,
                                        sizeof *bench_instructions, compare_names);
    if (known) return *known;
    double each = pass->elements > 0 ? 2 * pass->flops / pass->elements : 0;
    return (bench_shader){.name = pass->name, .once = (uint32_t)each, .registers = 32};
}

/* Returns the bandwidth of memory, or of the last-level cache if the pass's data fit into half of
 * it: the bus bandwidth, or the bandwidth that the resident lanes of the units can sustain at this
 * latency, whichever is lower. */
static double memory_gb_s(const bench_gpu *gpu, const bench_shader *shader, double bytes)
{
    bool cached = bytes < 0.5e6 * gpu->cache_mb;
    double bus = STREAMED * (cached ? gpu->cache_gb_s : gpu->memory_gb_s);
    double held = gpu->registers_kib * 1024 / (4.0 * shader->registers);
    if (held > gpu->lanes_held) held = gpu->lanes_held;
    double fetches = shader->pair > 0 ? 4 : 1;
    double waited = gpu->units * held * fetches * FETCH_BYTES / LATENCY_NS;
    return waited < bus ? waited : bus;
}

static bench_limit predict_pass(const bench_gpu *gpu, const bench_result *result,
                                const weir_pass_time *pass, bool compact)
{
    bench_shader shader = shader_of(pass);
    double neighbours = (double)result->stats.neighbours_mean, bytes = pass->bytes;
    double entry = compact ? COMPACT_BYTES : WIDE_BYTES,
           pair = compact ? shader.compact : shader.pair;
    if (pass->pair_bytes > 0) bytes += pass->elements * neighbours * (entry - pass->pair_bytes);
    double each = shader.once + pass->per_invocation * pair * neighbours;
    double invocations = pass->per_invocation > 0 ? pass->elements / pass->per_invocation : 0;
    double clocks = gpu->units * gpu->clock_ghz * 1e6; /* of all units, per millisecond */
    const bench_limit bounds[] = {
        {"memory", bytes / memory_gb_s(gpu, &shader, bytes) * 1e-6},
        {"cache", pass->gathered_bytes / (clocks * gpu->near_bytes)},
        {"instructions", invocations * each / (clocks * gpu->lanes * BUSY)},
        {"atomics", pass->atomics / clocks},
        {"latency", each * ISSUE_CLOCKS / gpu->clock_ghz * 1e-6},
    };
    bench_limit most = bounds[0];
    for (size_t i = 1; i < BASE_COUNT(bounds); ++i)
        if (bounds[i].ms > most.ms) most = bounds[i];
    if (most.ms < DISPATCH_US * 1e-3) most.name = "dispatch";
    most.ms += DISPATCH_US * 1e-3;
    return most;
}

static double calls_each(const bench_result *result, const weir_pass_time *pass)
{
    if (result->alone) return pass->group[0] ? result->iterations_each : 1;
    return (double)pass->calls / (double)result->substeps;
}

static double substep_ms(const bench_gpu *gpu, const bench_result *result, bool compact)
{
    double sum = 0;
    for (uint32_t i = 0; i < result->pass_count; ++i)
        if (!result->passes[i].is_total)
            sum += predict_pass(gpu, result, &result->passes[i], compact).ms *
                   calls_each(result, &result->passes[i]);
    return sum;
}

static bool compact_pays(const bench_gpu *gpu, const bench_result *result)
{
    return substep_ms(gpu, result, true) < substep_ms(gpu, result, false);
}

bench_limit bench_predict_pass(const bench_gpu *gpu, const bench_result *result,
                               const weir_pass_time *pass)
{
    return predict_pass(gpu, result, pass, compact_pays(gpu, result));
}

static bool has_lists(const bench_result *result)
{
    for (uint32_t i = 0; i < result->pass_count; ++i)
        if (result->passes[i].pair_bytes > 0) return true;
    return false;
}

void bench_print_prediction(const bench_gpu *gpu, const bench_result *result)
{
    if (result->what.work != BENCH_STEPS || result->pass_count == 0) return;
    const bool compact = compact_pays(gpu, result);
    double sum = substep_ms(gpu, result, compact);
    printf("predicted for %s, not measured (docs/gpus.md)\n", gpu->name);
    printf("%-32s %10s %9s %6s  %s\n", "pass", "us/call", "/substep", "share", "bound");
    for (uint32_t i = 0; i < result->pass_count; ++i) {
        const weir_pass_time *pass = &result->passes[i];
        if (pass->is_total) continue;
        bench_limit most = predict_pass(gpu, result, pass, compact);
        double each = most.ms * calls_each(result, pass);
        printf("  %-30s %10.2f %9.2f %5.1f%%  %s\n", pass->name, 1000 * most.ms, 1000 * each,
               100 * each / sum, most.name);
    }
    printf("a substep            %.3f ms; %.3g particle-iterations per second\n", sum,
           1000 * result->stats.particle_count * result->iterations_each / sum);
    if (has_lists(result))
        printf("lists                %s; wide %.3f ms, compact %.3f ms a substep\n",
               compact ? "compact" : "wide", substep_ms(gpu, result, false),
               substep_ms(gpu, result, true));
    printf("\n");
}
