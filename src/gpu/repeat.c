/* Rows timed alone, run after run. */
#include "gpu_internal.h"

/* ---- a row whose every run must find what the first one found ---------------------------------
 */

typedef struct kept {
    gpu_buffer *original[GPU_ROW_USES], *copy[GPU_ROW_USES];
    uint32_t count;
} kept;

static weir_result record_copies(gpu_device *device, const kept *k, bool back)
{
    for (uint32_t i = 0; i < k->count; i++) {
        gpu_copy copy = {.from = back ? k->copy[i] : k->original[i],
                         .to = back ? k->original[i] : k->copy[i],
                         .size = k->original[i]->size};
        WEIR_NEED(gpu_record_copy(device, &copy));
    }
    return WEIR_OK;
}

static weir_result keep_written(gpu_device *device, const gpu_row *row, kept *k)
{
    uint64_t ticket;
    for (uint32_t u = 0; u < row->use_count; u++) {
        gpu_buffer *buffer = row->uses[u].buffer;
        bool seen = !gpu_access_writes(row->uses[u].access);
        for (uint32_t i = 0; i < k->count; i++)
            seen |= k->original[i] == buffer;
        if (seen) continue;
        gpu_buffer_def def = {.name = "kept", .stride = 4, .count = buffer->size / 4};
        WEIR_NEED(gpu_buffer_create(device, &def, &k->copy[k->count]));
        k->original[k->count++] = buffer;
    }
    WEIR_NEED(gpu_record_begin(device));
    WEIR_NEED(record_copies(device, k, false));
    return gpu_record_submit(device, &ticket);
}

weir_result gpu_row_repeat(gpu_device *device, const gpu_row *row, uint32_t repeat,
                           gpu_timers *timers)
{
    weir_result result;
    uint64_t ticket = 0;
    kept k = {0};
    if (timers) gpu_timers_watch(timers, true);
    WEIR_TRY(keep_written(device, row, &k));
    for (uint32_t i = 0; i <= repeat; i++) {
        WEIR_TRY(gpu_record_begin(device));
        gpu_record_title(device, "repeat", i);
        WEIR_TRY(record_copies(device, &k, true));
        if (i < repeat) WEIR_TRY(gpu_record_rows(device, row, 1, 0, timers));
        WEIR_TRY(gpu_record_submit(device, &ticket));
    }
    WEIR_TRY(gpu_ticket_wait(device, ticket));
fail:
    for (uint32_t i = 0; i < GPU_ROW_USES; i++)
        gpu_buffer_destroy(device, &k.copy[i]);
    return result;
}

/* ---- a table whose runs are alike -------------------------------------------------------------
 */

weir_result gpu_trial_best(gpu_device *device, const gpu_trial *trial, double *ms)
{
    weir_result result;
    gpu_timers *timers = NULL;
    *ms = INFINITY;
    WEIR_TRY(gpu_table_check(device, trial->rows, trial->row_count));
    WEIR_TRY(gpu_timers_create(device, trial->row_count, &timers));
    gpu_timers_watch(timers, true);
    for (uint32_t run = 0; run < trial->runs; run++) {
        uint64_t ticket;
        gpu_timers_reset(timers);
        WEIR_TRY(gpu_record_begin(device));
        gpu_record_title(device, trial->title, run);
        WEIR_TRY(gpu_record_rows(device, trial->rows, trial->row_count, 0, timers));
        WEIR_TRY(gpu_record_submit(device, &ticket));
        WEIR_TRY(gpu_ticket_wait(device, ticket));
        gpu_row_time time = gpu_timers_row(timers, trial->row_count);
        if (time.total_ms > 0.0) *ms = fmin(*ms, time.total_ms);
    }
fail:
    gpu_timers_destroy(device, &timers);
    return result;
}
