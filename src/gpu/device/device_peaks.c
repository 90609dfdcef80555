/* Measures the peak rates of a device with small shaders, one per rate; the best of several runs
 * counts. */
#include "gpu/shaders.h"
#include "gpu_internal.h"

#define COPY_EACH 4u
#define CACHE_TABLE 16384u /* elements of 16 bytes: 256 KiB */
#define CACHE_FETCHES 64u
#define COUNTERS 65536u
#define FMA_FLOPS 4096u
#define EMPTY_DISPATCHES 64u
#define RUNS 12u
#define WORKGROUP 256u

typedef struct peak_benchmark {
    gpu_device *device;
    gpu_pipeline *pipelines[GPU_SHADERS];
    gpu_buffer *from, *to, *table, *counters;
    gpu_buffer *arguments; /* VkDispatchIndirectCommand: one group, then none */
} peak_benchmark;

static weir_result create_pipelines(peak_benchmark *b)
{
    for (int k = 0; k < GPU_SHADERS; k++)
        WEIR_RETURN_IF_ERROR(gpu_pipeline_create(
            b->device, &(gpu_pipeline_def){.shader = &gpu_shaders[k]}, &b->pipelines[k]));
    return WEIR_OK;
}

/* Returns the length of a copy that exceeds every current cache but fits one binding and a
 * sixteenth of the memory. */
static uint64_t copied_elements(const gpu_device *device)
{
    uint64_t bytes = 256ull << 20;
    if (bytes > device->storage_range) bytes = device->storage_range;
    if (bytes > device->info.memory_bytes / 16) bytes = device->info.memory_bytes / 16;
    return bytes / 16 / (WORKGROUP * COPY_EACH) * (WORKGROUP * COPY_EACH);
}

static weir_result create_buffers(peak_benchmark *b)
{
    uint64_t n = copied_elements(b->device);
    gpu_buffer_def from = {.name = "copied", .stride = 16, .count = n};
    gpu_buffer_def to = {.name = "copy", .stride = 16, .count = n};
    gpu_buffer_def table = {
        .name = "table", .stride = 16, .count = CACHE_TABLE, .texels = GPU_TEXELS_VEC4};
    gpu_buffer_def counters = {.name = "counters", .stride = 4, .count = COUNTERS};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(b->device, &from, &b->from));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(b->device, &to, &b->to));
    static const uint32_t groups[] = {1, 1, 1, 0, 1, 1};
    gpu_buffer_def arguments = {
        .name = "dispatch_arguments", .stride = 4, .count = BASE_COUNT(groups)};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(b->device, &table, &b->table));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(b->device, &arguments, &b->arguments));
    WEIR_RETURN_IF_ERROR(gpu_buffer_upload(b->device, b->arguments, 0, groups, sizeof groups));
    return gpu_buffer_create(b->device, &counters, &b->counters);
}

/* Returns the time, ms, of the fastest run of `passes`. */
static weir_result measure_best_ms(const peak_benchmark *b, const gpu_pass *passes, uint32_t count,
                                   double *ms)
{
    const gpu_benchmark trial = {
        .trace_name = "ceilings", .passes = passes, .pass_count = count, .runs = RUNS};
    return gpu_benchmark_best(b->device, &trial, ms);
}

typedef struct host_copy {
    unsigned char *from, *to;
} host_copy;

static void copy_host_range(void *user, size_t first, size_t end)
{
    host_copy *c = user;
    memcpy(c->to + first, c->from + first, end - first);
}

/* Measures how fast the processor's cores copy memory themselves; used for CPU drivers. */
static weir_result host_copy_rate(gpu_device *device, double *gb_s)
{
    weir_result result = WEIR_OK;
    size_t bytes = (size_t)copied_elements(device) * 16;
    host_copy c = {.from = base_alloc(bytes, 1), .to = base_alloc(bytes, 1)};
    if (c.from && c.to) {
        memset(c.from, 1, bytes);
        for (uint32_t run = 0; run < RUNS; run++) {
            double start_s = base_time_s();
            base_parallel_for(bytes, (bytes - 1) / base_cpu_count() + 1, copy_host_range, &c);
            *gb_s = fmax(*gb_s, 2e-9 * (double)bytes / (base_time_s() - start_s));
        }
    } else {
        result =
            base_fail(&device->log, WEIR_ERROR_MEMORY,
                      "not enough memory for two blocks of %zu bytes, to measure copies", bytes);
    }
    base_free(c.from);
    base_free(c.to);
    return result;
}

static gpu_dispatch_size element_count(uint64_t count, uint32_t each)
{
    return (gpu_dispatch_size){.name = "elements", .count = count, .per_invocation = each};
}

/* Returns a pass of one of the shaders, which bind one or two buffers. */
static gpu_pass make_pass(const peak_benchmark *b, int shader, gpu_dispatch_size dispatch_size,
                          gpu_buffer *first, gpu_buffer *second)
{
    gpu_pass pass = gpu_pass_make(b->pipelines[shader], dispatch_size);
    gpu_pass_bind_all(&pass, (gpu_buffer *const[]){first, second}, 2);
    return pass;
}

static weir_result measure_rates(peak_benchmark *b, weir_device_peaks *ceilings)
{
    double ms, n = (double)gpu_buffer_count(b->to);
    bool cpu = b->device->info.kind == WEIR_DEVICE_CPU;
    uint64_t few = gpu_buffer_count(b->to) / (cpu ? 32 : 2);
    gpu_pass copy = make_pass(b, GPU_PEAK_MEMORY_BANDWIDTH, element_count((uint64_t)n, COPY_EACH),
                              b->from, b->to);
    WEIR_RETURN_IF_ERROR(measure_best_ms(b, &copy, 1, &ms));
    ceilings->copy_gb_s = 2.0 * 16.0 * n / ms * 1e-6;
    if (cpu) WEIR_RETURN_IF_ERROR(host_copy_rate(b->device, &ceilings->copy_gb_s));

    gpu_pass cache = make_pass(b, GPU_PEAK_CACHE_BANDWIDTH, element_count(few, 1), b->table, b->to);
    cache.constant = CACHE_TABLE;
    WEIR_RETURN_IF_ERROR(measure_best_ms(b, &cache, 1, &ms));
    ceilings->cache_gb_s = 16.0 * CACHE_FETCHES * (double)few / ms * 1e-6;

    gpu_pass atomic = make_pass(b, GPU_PEAK_ATOMIC_RATE, element_count(few, 1), b->counters, NULL);
    WEIR_RETURN_IF_ERROR(measure_best_ms(b, &atomic, 1, &ms));
    ceilings->atomics_g_s = (double)few / ms * 1e-6;

    gpu_pass fma = make_pass(b, GPU_PEAK_FMA_RATE, element_count(few, 1), b->to, NULL);
    WEIR_RETURN_IF_ERROR(measure_best_ms(b, &fma, 1, &ms));
    ceilings->fma_gflop_s = FMA_FLOPS * (double)few / ms * 1e-6;
    return WEIR_OK;
}

/* Measures one of many dispatches that do nothing and depend on each other. */
static weir_result measure_dispatch(peak_benchmark *b, gpu_dispatch_size size, double *us)
{
    gpu_pass passes[EMPTY_DISPATCHES];
    double ms;
    for (uint32_t i = 0; i < EMPTY_DISPATCHES; i++)
        passes[i] = make_pass(b, GPU_EMPTY_DISPATCH, size, b->counters, NULL);
    WEIR_RETURN_IF_ERROR(measure_best_ms(b, passes, EMPTY_DISPATCHES, &ms));
    *us = 1000.0 * ms / EMPTY_DISPATCHES;
    return WEIR_OK;
}

static weir_result measure_dispatches(peak_benchmark *b, weir_device_peaks *ceilings)
{
    gpu_dispatch_size one = element_count(1, 1), none = one;
    WEIR_RETURN_IF_ERROR(measure_dispatch(b, one, &ceilings->dispatch_us));
    one.arguments = none.arguments = b->arguments;
    none.argument_offset = 3 * sizeof(uint32_t);
    WEIR_RETURN_IF_ERROR(measure_dispatch(b, one, &ceilings->indirect_dispatch_us));
    return measure_dispatch(b, none, &ceilings->skipped_dispatch_us);
}

weir_result gpu_device_peaks_measure(gpu_device *device, weir_device_peaks *ceilings)
{
    weir_result result;
    peak_benchmark b = {.device = device};
    *ceilings = (weir_device_peaks){0};
    if (!device->info.timestamps)
        return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                         "%s has no timestamps: its limits cannot be measured", device->info.name);
    WEIR_GOTO_IF_ERROR(create_pipelines(&b));
    WEIR_GOTO_IF_ERROR(create_buffers(&b));
    WEIR_GOTO_IF_ERROR(measure_rates(&b, ceilings));
    WEIR_GOTO_IF_ERROR(measure_dispatches(&b, ceilings));
fail:
    gpu_buffer_destroy(device, &b.from);
    gpu_buffer_destroy(device, &b.to);
    gpu_buffer_destroy(device, &b.table);
    gpu_buffer_destroy(device, &b.counters);
    gpu_buffer_destroy(device, &b.arguments);
    for (int k = 0; k < GPU_SHADERS; k++)
        gpu_pipeline_destroy(device, &b.pipelines[k]);
    return result;
}
