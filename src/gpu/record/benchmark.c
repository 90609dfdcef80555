/* Benchmarks of single passes and pass lists. */
#include "gpu_internal.h"

/* ---- a pass, with the same input in every run ----------------------------------------------- */

typedef struct saved_buffers {
    gpu_buffer *original[GPU_PASS_BUFFERS], *copy[GPU_PASS_BUFFERS];
    uint32_t count;
} saved_buffers;

static weir_result record_save_or_restore(gpu_device *device, const saved_buffers *k, bool back)
{
    for (uint32_t i = 0; i < k->count; i++) {
        gpu_copy copy = {.from = back ? k->copy[i] : k->original[i],
                         .to = back ? k->original[i] : k->copy[i],
                         .size = k->original[i]->size};
        WEIR_RETURN_IF_ERROR(gpu_record_copy(device, &copy));
    }
    return WEIR_OK;
}

static weir_result save_written_buffers(gpu_device *device, const gpu_pass *pass, saved_buffers *k)
{
    uint64_t ticket;
    for (uint32_t u = 0; u < pass->use_count; u++) {
        gpu_buffer *buffer = pass->uses[u].buffer;
        bool seen = !gpu_access_writes(pass->uses[u].access);
        for (uint32_t i = 0; i < k->count; i++)
            seen |= k->original[i] == buffer;
        if (seen) continue;
        gpu_buffer_def def = {.name = "kept", .stride = 4, .count = buffer->size / 4};
        WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, &def, &k->copy[k->count]));
        k->original[k->count++] = buffer;
    }
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    WEIR_RETURN_IF_ERROR(record_save_or_restore(device, k, false));
    return gpu_record_submit(device, &ticket);
}

weir_result gpu_pass_benchmark(gpu_device *device, const gpu_pass *pass, uint32_t repeat,
                               gpu_timers *timers)
{
    weir_result result;
    uint64_t ticket = 0;
    saved_buffers k = {0};
    if (timers) gpu_timers_time_passes(timers, true);
    WEIR_GOTO_IF_ERROR(save_written_buffers(device, pass, &k));
    for (uint32_t i = 0; i <= repeat; i++) {
        WEIR_GOTO_IF_ERROR(gpu_record_begin(device));
        gpu_record_set_trace_name(device, "repeat", i);
        WEIR_GOTO_IF_ERROR(record_save_or_restore(device, &k, true));
        if (i < repeat) WEIR_GOTO_IF_ERROR(gpu_record_passes(device, pass, 1, 0, timers));
        WEIR_GOTO_IF_ERROR(gpu_record_submit(device, &ticket));
    }
    WEIR_GOTO_IF_ERROR(gpu_ticket_wait(device, ticket));
fail:
    for (uint32_t i = 0; i < GPU_PASS_BUFFERS; i++)
        gpu_buffer_destroy(device, &k.copy[i]);
    return result;
}

/* ---- a pass list whose runs all do the same work -------------------------------------------- */

weir_result gpu_benchmark_best(gpu_device *device, const gpu_benchmark *trial, double *ms)
{
    weir_result result;
    gpu_timers *timers = NULL;
    *ms = INFINITY;
    WEIR_GOTO_IF_ERROR(gpu_passes_check(device, trial->passes, trial->pass_count));
    WEIR_GOTO_IF_ERROR(gpu_timers_create(device, trial->pass_count, &timers));
    gpu_timers_time_passes(timers, true);
    for (uint32_t run = 0; run < trial->runs; run++) {
        uint64_t ticket;
        gpu_timers_reset(timers);
        WEIR_GOTO_IF_ERROR(gpu_record_begin(device));
        gpu_record_set_trace_name(device, trial->trace_name, run);
        WEIR_GOTO_IF_ERROR(gpu_record_passes(device, trial->passes, trial->pass_count, 0, timers));
        WEIR_GOTO_IF_ERROR(gpu_record_submit(device, &ticket));
        WEIR_GOTO_IF_ERROR(gpu_ticket_wait(device, ticket));
        gpu_pass_time time = gpu_timers_pass_time(timers, trial->pass_count);
        if (time.total_ms > 0.0) *ms = fmin(*ms, time.total_ms);
    }
fail:
    gpu_timers_destroy(device, &timers);
    return result;
}
