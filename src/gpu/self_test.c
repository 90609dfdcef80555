/* Does the device compute at all, and rightly? A kernel of a few milliseconds, run when a device is
 * opened; the host knows its results. A driver that does nothing leaves zeros, and a simulation on
 * it would end without particles and without an error. */
#include "gpu/shaders.h"
#include "gpu_internal.h"

#define GROUP 64u /* invocations, of shaders/gpu/self_test.comp */
#define COUNT (4u * GROUP)
#define COUNTERS 8u
#define FLOAT_SLACK \
    1e-5f /* Vulkan lets quotients and roots be off by a few units in the last place */

typedef struct answers {
    uint32_t words[COUNT][4]; /* the last two are floats, by bits */
    uint32_t counters[COUNTERS];
} answers;

/* What one device gave, and what it should have given. */
typedef struct self_test {
    gpu_kernel *kernel;
    gpu_buffer *seeds, *found, *counters;
    uint32_t seed[COUNT];
    answers expected, got;
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

static void expect(self_test *t)
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

static bool agrees(uint32_t word, uint32_t got, uint32_t expected)
{
    if (word < 2) return got == expected;
    float e = float_of(expected);
    return fabsf(float_of(got) - e) <= FLOAT_SLACK * e; /* false when it is no number */
}

static bool is_blank(const answers *got)
{
    static const answers blank;
    return memcmp(got, &blank, sizeof blank) == 0;
}

static weir_result refuse(const gpu_device *device, const self_test *t, const char *what,
                          uint32_t got, uint32_t expected)
{
    return base_fail(&device->log, WEIR_UNSUPPORTED,
                     "%s computes %s: in a small test %s is 0x%08x, expected 0x%08x; update its "
                     "driver, or choose another device: weir info lists them",
                     device->info.name, is_blank(&t->got) ? "nothing" : "wrongly", what, got,
                     expected);
}

static weir_result compare(const gpu_device *device, const self_test *t)
{
    static const char *const what[4] = {"a product", "a number from another lane",
                                        "a sum of inverse roots", "a quotient"};
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < 4; k++)
            if (!agrees(k, t->got.words[i][k], t->expected.words[i][k]))
                return refuse(device, t, what[k], t->got.words[i][k], t->expected.words[i][k]);
    for (uint32_t k = 0; k < COUNTERS; k++)
        if (t->got.counters[k] != t->expected.counters[k])
            return refuse(device, t, "a count by atomics", t->got.counters[k],
                          t->expected.counters[k]);
    return WEIR_OK;
}

static weir_result make(gpu_device *device, self_test *t)
{
    const gpu_kernel_def kernel = {.shader = &gpu_shaders[GPU_SELF_TEST]};
    const gpu_buffer_def seeds = {.name = "seeds", .stride = 4, .count = COUNT};
    const gpu_buffer_def found = {.name = "found", .stride = 16, .count = COUNT};
    const gpu_buffer_def counters = {.name = "counters", .stride = 4, .count = COUNTERS};
    WEIR_NEED(gpu_kernel_create(device, &kernel, &t->kernel));
    WEIR_NEED(gpu_buffer_create(device, &seeds, &t->seeds));
    WEIR_NEED(gpu_buffer_create(device, &found, &t->found));
    WEIR_NEED(gpu_buffer_create(device, &counters, &t->counters));
    for (uint32_t i = 0; i < COUNT; i++)
        t->seed[i] = i * i + 12345u;
    return gpu_buffer_upload(device, t->seeds, 0, t->seed, sizeof t->seed);
}

static weir_result ask(gpu_device *device, self_test *t)
{
    gpu_row row = gpu_row_make(t->kernel, (gpu_domain){.name = "words", .count = COUNT});
    gpu_row_bind_all(&row, (gpu_buffer *const[]){t->seeds, t->found, t->counters}, 3);
    WEIR_NEED(gpu_run_rows(device, &row, 1));
    WEIR_NEED(gpu_buffer_download(device, t->found, 0, t->got.words, sizeof t->got.words));
    return gpu_buffer_download(device, t->counters, 0, t->got.counters, sizeof t->got.counters);
}

weir_result gpu_self_test(gpu_device *device)
{
    weir_result result = WEIR_MEMORY;
    self_test *t = base_alloc(1, sizeof *t);
    if (!t) return base_fail(&device->log, WEIR_MEMORY, "no memory to test a device");
    WEIR_TRY(make(device, t));
    WEIR_TRY(ask(device, t));
    expect(t);
    result = compare(device, t);
fail:
    gpu_buffer_destroy(device, &t->seeds);
    gpu_buffer_destroy(device, &t->found);
    gpu_buffer_destroy(device, &t->counters);
    gpu_kernel_destroy(device, &t->kernel);
    base_free(t);
    return result;
}
