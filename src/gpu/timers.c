/* GPU times per row, from timestamps that are read after their submission has finished. */
#include "gpu_internal.h"

#include <stdlib.h>

weir_result gpu_timers_create(gpu_device *device, uint32_t row_count, gpu_timers **out)
{
    gpu_timers *timers = base_alloc(1, sizeof *timers);
    *out = NULL;
    if (timers) timers->rows = base_alloc(row_count, sizeof *timers->rows);
    if (!timers || !timers->rows) {
        base_free(timers);
        return base_fail(&device->log, WEIR_MEMORY, "no memory for timers");
    }
    timers->row_count = row_count;
    *out = timers;
    return WEIR_OK;
}

void gpu_timers_destroy(gpu_device *device, gpu_timers **pointer)
{
    gpu_timers *timers = *pointer;
    if (!timers) return;
    gpu_device_wait(device); /* a slot in flight points here */
    for (uint32_t i = 0; i < timers->row_count; i++)
        BASE_ARRAY_FREE(&timers->rows[i].ms);
    base_free(timers->rows);
    base_free(timers);
    *pointer = NULL;
}

void gpu_timers_reset(gpu_timers *timers)
{
    for (uint32_t i = 0; i < timers->row_count; i++) {
        timers->rows[i].ms.count = 0;
        timers->rows[i].calls = 0;
        timers->rows[i].total_ms = 0.0;
    }
}

#define TIMER_SAMPLES 65536u

static void add_sample(gpu_timers *timers, uint32_t row, double ms)
{
    struct gpu_timer *timer = &timers->rows[row];
    timer->predicted_ms = timer->predicted_ms > 0.0 ? 0.75 * timer->predicted_ms + 0.25 * ms : ms;
    timer->total_ms += ms;
    timer->calls++;
    timers->measured = true;
    if (timer->ms.count < TIMER_SAMPLES)
        (void)BASE_PUSH(&timer->ms, (float)ms); /* a missing sample only widens the median */
}

void gpu_timers_collect(gpu_device *device, gpu_slot *slot)
{
    if (!slot->queries || slot->query_count == 0) return;
    static const uint32_t flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
    uint64_t *ticks = base_alloc(slot->query_count, sizeof *ticks);
    uint64_t mask =
        device->timestamp_bits >= 64 ? UINT64_MAX : (1ull << device->timestamp_bits) - 1;
    if (ticks && device->vk.vkGetQueryPoolResults(
                     device->handle, slot->queries, 0, slot->query_count,
                     slot->query_count * sizeof *ticks, ticks, sizeof *ticks, flags) == VK_SUCCESS)
        for (uint32_t q = 1; q < slot->query_count; q++) {
            uint64_t passed = (ticks[q] - ticks[q - 1]) & mask; /* wrap-around included */
            double ms = (double)passed * (double)device->limits.timestampPeriod * 1e-6;
            if (!slot->timers[q]) continue;
            add_sample(slot->timers[q], slot->rows[q], ms);
            if (slot->elapsed_ms) *slot->elapsed_ms += ms;
        }
    slot->query_count = 0;
    base_free(ticks);
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

gpu_row_time gpu_timers_row(const gpu_timers *timers, uint32_t row)
{
    const struct gpu_timer *timer = &timers->rows[row];
    gpu_row_time time = {.calls = timer->calls, .total_ms = timer->total_ms};
    if (timer->ms.count == 0) return time;
    qsort(timer->ms.items, timer->ms.count, sizeof(float), compare_floats);
    time.median_ms = (double)timer->ms.items[timer->ms.count / 2];
    return time;
}
