/* Checks that a device computes correctly, with a shader of a few milliseconds that runs when a
 * device is opened and whose results the host knows. A driver that does nothing leaves zeros, and a
 * simulation on it would end without particles and without an error. */
#include "gpu/shaders.h"
#include "gpu_internal.h"

#define GROUP 64u /* invocations; as in shaders/gpu/self_test.comp */
#define COUNT (4u * GROUP)
#define COUNTERS 8u
/* Vulkan allows errors of a few units in the last place for division and square root. */
#define FLOAT_SLACK 1e-5f

typedef struct self_test_results {
    uint32_t words[COUNT][4]; /* the last two are float bits */
    uint32_t counters[COUNTERS];
} self_test_results;

/* Results of one device, and the expected ones. */
typedef struct self_test {
    gpu_pipeline *pipeline;
    gpu_buffer *seeds, *found, *counters;
    uint32_t seed[COUNT];
    self_test_results expected, got;
} self_test;

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void compute_expected(self_test *t)
{
    for (uint32_t i = 0; i < COUNT; i++)
        t->expected.words[i][0] = t->seed[i] * 2654435761u ^ i;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t *words = t->expected.words[i], first = i / GROUP * GROUP;
        words[1] = t->expected.words[first + (i + 17u) % GROUP][0];
        float x = 1.0f + (float)(words[1] >> 8) / 16777216.0f, sum = 0.0f;
        for (uint32_t k = 1; k <= 8; k++)
            sum += 1.0f / sqrtf(x * (float)k);
        words[2] = bits_of(sum);
        words[3] = bits_of(x / 3.0f);
        t->expected.counters[words[0] & 7u] += words[1] & 255u;
    }
}

static bool result_agrees(uint32_t word, uint32_t got, uint32_t expected)
{
    if (word < 2) return got == expected;
    float e = float_of(expected);
    return fabsf(float_of(got) - e) <= FLOAT_SLACK * e; /* false for NaN */
}

static bool is_all_zero(const self_test_results *got)
{
    static const self_test_results blank;
    return memcmp(got, &blank, sizeof blank) == 0;
}

static weir_result fail_mismatch(const gpu_device *device, const self_test *t, const char *what,
                                 uint32_t got, uint32_t expected)
{
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                     "%s computes %s: in a small test %s is 0x%08x, expected 0x%08x; update its "
                     "driver, or choose another device: weir info lists them",
                     device->info.name, is_all_zero(&t->got) ? "nothing" : "wrongly", what, got,
                     expected);
}

static weir_result compare_results(const gpu_device *device, const self_test *t)
{
    static const char *const what[4] = {"a product", "a value from another subgroup lane",
                                        "a sum of inverse square roots", "a quotient"};
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < 4; k++)
            if (!result_agrees(k, t->got.words[i][k], t->expected.words[i][k]))
                return fail_mismatch(device, t, what[k], t->got.words[i][k],
                                     t->expected.words[i][k]);
    for (uint32_t k = 0; k < COUNTERS; k++)
        if (t->got.counters[k] != t->expected.counters[k])
            return fail_mismatch(device, t, "an atomic counter", t->got.counters[k],
                                 t->expected.counters[k]);
    return WEIR_OK;
}

static weir_result create_buffers(gpu_device *device, self_test *t)
{
    const gpu_pipeline_def pipeline = {.shader = &gpu_shaders[GPU_SELF_TEST]};
    const gpu_buffer_def seeds = {.name = "seeds", .stride = 4, .count = COUNT};
    const gpu_buffer_def found = {.name = "found", .stride = 16, .count = COUNT};
    const gpu_buffer_def counters = {.name = "counters", .stride = 4, .count = COUNTERS};
    WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &pipeline, &t->pipeline));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, &seeds, &t->seeds));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, &found, &t->found));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, &counters, &t->counters));
    for (uint32_t i = 0; i < COUNT; i++)
        t->seed[i] = i * i + 12345u;
    return gpu_buffer_upload(device, t->seeds, 0, t->seed, sizeof t->seed);
}

static weir_result run_self_test(gpu_device *device, self_test *t)
{
    gpu_pass pass =
        gpu_pass_make(t->pipeline, (gpu_dispatch_size){.name = "words", .count = COUNT});
    gpu_pass_bind_all(&pass, (gpu_buffer *const[]){t->seeds, t->found, t->counters}, 3);
    WEIR_RETURN_IF_ERROR(gpu_run_passes(device, &pass, 1));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_download(device, t->found, 0, t->got.words, sizeof t->got.words));
    return gpu_buffer_download(device, t->counters, 0, t->got.counters, sizeof t->got.counters);
}

weir_result gpu_self_test(gpu_device *device)
{
    weir_result result = WEIR_ERROR_MEMORY;
    self_test *t = base_alloc(1, sizeof *t);
    if (!t) return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory to test a device");
    WEIR_GOTO_IF_ERROR(create_buffers(device, t));
    WEIR_GOTO_IF_ERROR(run_self_test(device, t));
    compute_expected(t);
    result = compare_results(device, t);
fail:
    gpu_buffer_destroy(device, &t->seeds);
    gpu_buffer_destroy(device, &t->found);
    gpu_buffer_destroy(device, &t->counters);
    gpu_pipeline_destroy(device, &t->pipeline);
    base_free(t);
    return result;
}
