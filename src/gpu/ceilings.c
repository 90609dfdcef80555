/* What the device reaches at best: small kernels, each for one thing; the best of several runs. */
#include "gpu/shaders.h"
#include "gpu_internal.h"

#define COPY_EACH 4u
#define CACHE_TABLE 16384u /* elements of 16 bytes: 256 KiB */
#define CACHE_FETCHES 64u
#define COUNTERS 65536u
#define FMA_FLOPS 4096u
#define EMPTY_ROWS 64u
#define RUNS 12u
#define WORKGROUP 256u

typedef struct bench {
    gpu_device *device;
    gpu_kernel *kernels[GPU_SHADERS];
    gpu_buffer *from, *to, *table, *counters;
} bench;

static weir_result create_kernels(bench *b)
{
    for (int k = 0; k < GPU_SHADERS; k++)
        WEIR_NEED(gpu_kernel_create(b->device, &(gpu_kernel_def){.shader = &gpu_shaders[k]},
                                    &b->kernels[k]));
    return WEIR_OK;
}

/* Beyond every cache of today, within one binding and a sixteenth of the memory. */
static uint64_t copied_elements(const gpu_device *device)
{
    uint64_t bytes = 256ull << 20;
    if (bytes > device->storage_range) bytes = device->storage_range;
    if (bytes > device->info.memory_bytes / 16) bytes = device->info.memory_bytes / 16;
    return bytes / 16 / (WORKGROUP * COPY_EACH) * (WORKGROUP * COPY_EACH);
}

static weir_result create_buffers(bench *b)
{
    uint64_t n = copied_elements(b->device);
    gpu_buffer_def from = {.name = "copied", .stride = 16, .count = n};
    gpu_buffer_def to = {.name = "copy", .stride = 16, .count = n};
    gpu_buffer_def table = {
        .name = "table", .stride = 16, .count = CACHE_TABLE, .texels = GPU_FLOATS};
    gpu_buffer_def counters = {.name = "counters", .stride = 4, .count = COUNTERS};
    WEIR_NEED(gpu_buffer_create(b->device, &from, &b->from));
    WEIR_NEED(gpu_buffer_create(b->device, &to, &b->to));
    WEIR_NEED(gpu_buffer_create(b->device, &table, &b->table));
    return gpu_buffer_create(b->device, &counters, &b->counters);
}

/* Milliseconds of the quickest run of `rows`. */
static weir_result best_ms(const bench *b, const gpu_row *rows, uint32_t count, double *ms)
{
    const gpu_trial trial = {.title = "ceilings", .rows = rows, .row_count = count, .runs = RUNS};
    return gpu_trial_best(b->device, &trial, ms);
}

typedef struct host_copy {
    unsigned char *from, *to;
} host_copy;

static void copy_piece(void *user, size_t first, size_t end)
{
    host_copy *c = user;
    memcpy(c->to + first, c->from + first, end - first);
}

/* The copy of a CPU driver's memory by the processor's cores themselves. */
static weir_result host_copy_rate(gpu_device *device, double *gb_s)
{
    weir_result result = WEIR_OK;
    size_t bytes = (size_t)copied_elements(device) * 16;
    host_copy c = {.from = base_alloc(bytes, 1), .to = base_alloc(bytes, 1)};
    if (c.from && c.to) {
        memset(c.from, 1, bytes);
        for (uint32_t run = 0; run < RUNS; run++) {
            double start_s = base_time_s();
            base_parallel(bytes, (bytes - 1) / base_cpu_count() + 1, copy_piece, &c);
            *gb_s = fmax(*gb_s, 2e-9 * (double)bytes / (base_time_s() - start_s));
        }
    } else {
        result = base_fail(&device->log, WEIR_MEMORY,
                           "no memory for two blocks of %zu bytes, to measure copies", bytes);
    }
    base_free(c.from);
    base_free(c.to);
    return result;
}

static gpu_domain elements(uint64_t count, uint32_t each)
{
    return (gpu_domain){.name = "elements", .count = count, .per_invocation = each};
}

/* A row of one of the kernels, which binds one buffer or two. */
static gpu_row make_row(const bench *b, int kernel, gpu_domain domain, gpu_buffer *first,
                        gpu_buffer *second)
{
    gpu_row row = gpu_row_make(b->kernels[kernel], domain);
    gpu_row_bind_all(&row, (gpu_buffer *const[]){first, second}, 2);
    return row;
}

static weir_result measure_rates(bench *b, weir_ceilings *ceilings)
{
    double ms, n = (double)gpu_buffer_count(b->to);
    bool cpu = b->device->info.kind == WEIR_DEVICE_CPU;
    uint64_t few = gpu_buffer_count(b->to) / (cpu ? 32 : 2);
    gpu_row copy = make_row(b, GPU_CEILING_COPY, elements((uint64_t)n, COPY_EACH), b->from, b->to);
    WEIR_NEED(best_ms(b, &copy, 1, &ms));
    ceilings->copy_gb_s = 2.0 * 16.0 * n / ms * 1e-6;
    if (cpu) WEIR_NEED(host_copy_rate(b->device, &ceilings->copy_gb_s));

    gpu_row cache = make_row(b, GPU_CEILING_CACHE, elements(few, 1), b->table, b->to);
    cache.constant = CACHE_TABLE;
    WEIR_NEED(best_ms(b, &cache, 1, &ms));
    ceilings->cache_gb_s = 16.0 * CACHE_FETCHES * (double)few / ms * 1e-6;

    gpu_row atomic = make_row(b, GPU_CEILING_ATOMIC, elements(few, 1), b->counters, NULL);
    WEIR_NEED(best_ms(b, &atomic, 1, &ms));
    ceilings->atomics_g_s = (double)few / ms * 1e-6;

    gpu_row fma = make_row(b, GPU_CEILING_FMA, elements(few, 1), b->to, NULL);
    WEIR_NEED(best_ms(b, &fma, 1, &ms));
    ceilings->fma_gflop_s = FMA_FLOPS * (double)few / ms * 1e-6;
    return WEIR_OK;
}

static weir_result measure_dispatch(bench *b, weir_ceilings *ceilings)
{
    gpu_row rows[EMPTY_ROWS];
    double ms;
    for (uint32_t i = 0; i < EMPTY_ROWS; i++)
        rows[i] = make_row(b, GPU_CEILING_EMPTY, elements(1, 1), b->counters, NULL);
    WEIR_NEED(best_ms(b, rows, EMPTY_ROWS, &ms));
    ceilings->dispatch_us = 1000.0 * ms / EMPTY_ROWS;
    return WEIR_OK;
}

weir_result gpu_ceilings_measure(gpu_device *device, weir_ceilings *ceilings)
{
    weir_result result;
    bench b = {.device = device};
    *ceilings = (weir_ceilings){0};
    if (!device->info.timestamps)
        return base_fail(&device->log, WEIR_UNSUPPORTED,
                         "%s has no timestamps: its limits cannot be measured", device->info.name);
    WEIR_TRY(create_kernels(&b));
    WEIR_TRY(create_buffers(&b));
    WEIR_TRY(measure_rates(&b, ceilings));
    WEIR_TRY(measure_dispatch(&b, ceilings));
fail:
    gpu_buffer_destroy(device, &b.from);
    gpu_buffer_destroy(device, &b.to);
    gpu_buffer_destroy(device, &b.table);
    gpu_buffer_destroy(device, &b.counters);
    for (int k = 0; k < GPU_SHADERS; k++)
        gpu_kernel_destroy(device, &b.kernels[k]);
    return result;
}
