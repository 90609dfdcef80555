/* GPU times of passes or whole pass lists, from timestamps. Each command slot has its own queries;
 * they are read when its submission has finished, before the slot is reused. Nothing waits for
 * them. */
#include "gpu_trace.h"

#include <stdlib.h>

weir_result gpu_timers_create(gpu_device *device, uint32_t pass_count, gpu_timers **out)
{
    gpu_timers *timers = base_alloc(1, sizeof *timers);
    *out = NULL;
    if (timers) timers->passes = base_alloc(pass_count + 1u, sizeof *timers->passes);
    if (!timers || !timers->passes) {
        base_free(timers);
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for timers");
    }
    timers->trace_name = "table";
    timers->pass_count = pass_count;
    *out = timers;
    return WEIR_OK;
}

void gpu_timers_destroy(gpu_device *device, gpu_timers **pointer)
{
    gpu_timers *timers = *pointer;
    if (!timers) return;
    gpu_device_wait(device); /* a slot in flight points to the timers */
    for (uint32_t i = 0; i <= timers->pass_count; i++)
        BASE_ARRAY_FREE(&timers->passes[i].ms);
    base_free(timers->passes);
    base_free(timers);
    *pointer = NULL;
}

void gpu_timers_set_trace_name(gpu_timers *timers, const char *title)
{
    timers->trace_name = title;
}

void gpu_timers_reset(gpu_timers *timers)
{
    timers->changed = true; /* the passes may belong to another list */
    for (uint32_t i = 0; i <= timers->pass_count; i++) {
        timers->passes[i].ms.count = 0;
        timers->passes[i].calls = 0;
        timers->passes[i].total_ms = 0.0;
        timers->passes[i].invocations = 0.0;
    }
}

void gpu_timers_forget_pass(gpu_timers *timers, uint32_t pass)
{
    timers->passes[pass].known = false;
    timers->passes[pass].predicted_ms = timers->passes[pass].partial_ms = 0.0;
}

void gpu_device_time_passes(gpu_device *device, bool on)
{
    device->watched = on;
}

bool gpu_device_times_passes(const gpu_device *device)
{
    return device->watched;
}

void gpu_timers_time_passes(gpu_timers *timers, bool on)
{
    timers->watched = on;
}

/* Predicted time per element of a pass that was never timed. On lavapipe, which computes on two CPU
 * cores, one pass takes longer, that of the neighbour lists, and only next to other work:
 * docs/trust.md. */
#define UNTIMED_MS 1e-3
#define UNTIMED_VERTEX_MS 1e-5 /* the same of a vertex that is drawn */

double gpu_timers_predict(const gpu_timers *timers, uint32_t at, const gpu_pass *pass)
{
    double vertices = (double)pass->dispatch_size.vertices;
    WEIR_ASSERT(!timers || at < timers->pass_count);
    if (timers && timers->passes[at].known) return timers->passes[at].predicted_ms;
    return (vertices > 0.0 ? UNTIMED_VERTEX_MS * vertices : UNTIMED_MS) *
           (double)pass->dispatch_size.count;
}

double gpu_device_longest_submission(gpu_device *device)
{
    double ms = device->longest_ms;
    device->longest_ms = 0.0;
    return ms;
}

/* ---- writing -------------------------------------------------------------------------------- */

static VkQueryPipelineStatisticFlags statistics_flags(const gpu_device *device)
{
    VkQueryPipelineStatisticFlags flags =
        VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
    if (device->draws)
        flags |= VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                 VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT;
    return flags;
}

weir_result gpu_slot_create_queries(gpu_device *device, gpu_command_slot *slot)
{
    VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = GPU_SLOT_QUERIES,
    };
    if (device->timestamp_bits == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(
        GPU_VK(device, vkCreateQueryPool, &queries, device->allocator, &slot->queries));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device,
                                           &(gpu_buffer_def){.name = "timestamps",
                                                             .stride = sizeof(uint64_t),
                                                             .count = GPU_SLOT_QUERIES,
                                                             .memory = GPU_MEMORY_HOST},
                                           &slot->ticks));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device,
                                           &(gpu_buffer_def){.name = "loops",
                                                             .stride = sizeof(uint32_t),
                                                             .count = GPU_SLOT_QUERIES,
                                                             .memory = GPU_MEMORY_HOST},
                                           &slot->loops));
    if (!device->statistics) return WEIR_OK;
    queries.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
    queries.pipelineStatistics = statistics_flags(device);
    return GPU_VK(device, vkCreateQueryPool, &queries, device->allocator, &slot->statistics);
}

void gpu_slot_destroy_queries(gpu_device *device, gpu_command_slot *slot)
{
    gpu_buffer_destroy(device, &slot->ticks);
    gpu_buffer_destroy(device, &slot->loops);
    device->vk.vkDestroyQueryPool(device->handle, slot->queries, device->allocator);
    device->vk.vkDestroyQueryPool(device->handle, slot->statistics, device->allocator);
}

void gpu_slot_copy_queries(gpu_device *device, gpu_command_slot *slot)
{
    if (slot->query_count)
        device->vk.vkCmdCopyQueryPoolResults(slot->commands, slot->queries, 0, slot->query_count,
                                             slot->ticks->handle, 0, sizeof(uint64_t),
                                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

void gpu_slot_reset_queries(gpu_device *device, gpu_command_slot *slot)
{
    slot->query_count = slot->loop_count = 0;
    if (gpu_command_slot_is_borrowed(slot)) return;
    if (slot->queries)
        device->vk.vkCmdResetQueryPool(slot->commands, slot->queries, 0, GPU_SLOT_QUERIES);
    if (slot->statistics)
        device->vk.vkCmdResetQueryPool(slot->commands, slot->statistics, 0, GPU_SLOT_QUERIES);
}

bool gpu_timestamps_enabled(const gpu_device *device)
{
    const gpu_command_slot *slot = device->recording;
    return slot->queries && !gpu_command_slot_is_borrowed(slot) &&
           slot->query_count < GPU_SLOT_QUERIES;
}

bool gpu_timestamps_per_pass(const gpu_device *device, const gpu_timers *timers)
{
    return gpu_is_traced(device) ||
           (timers && (device->watched || timers->watched || !timers->measured || timers->changed));
}

void gpu_timestamp_write(gpu_device *device, const gpu_timestamp *stamp)
{
    gpu_command_slot *slot = device->recording;
    if (!gpu_timestamps_enabled(device)) return;
    uint32_t query = slot->query_count++;
    slot->stamps[query] = *stamp;
    slot->stamps[query].loop = device->loop;
    device->vk.vkCmdWriteTimestamp2(slot->commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                    slot->queries, query);
}

static bool counts(const gpu_command_slot *slot)
{
    return slot->statistics && !gpu_command_slot_is_borrowed(slot) &&
           slot->query_count < GPU_SLOT_QUERIES;
}

void gpu_statistics_begin(gpu_device *device)
{
    gpu_command_slot *slot = device->recording;
    if (counts(slot))
        device->vk.vkCmdBeginQuery(slot->commands, slot->statistics, slot->query_count, 0);
}

void gpu_statistics_end(gpu_device *device)
{
    gpu_command_slot *slot = device->recording;
    if (counts(slot)) device->vk.vkCmdEndQuery(slot->commands, slot->statistics, slot->query_count);
}

void gpu_label_begin(gpu_device *device, const char *name)
{
    if (!device->instance.calls.begin_label) return;
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = name};
    device->instance.calls.begin_label(device->recording->commands, &label);
}

void gpu_label_end(gpu_device *device)
{
    if (device->instance.calls.end_label)
        device->instance.calls.end_label(device->recording->commands);
}

/* ---- reading -------------------------------------------------------------------------------- */

uint64_t gpu_ticks_elapsed(uint64_t from, uint64_t to, uint32_t bits)
{
    uint64_t mask = bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
    return (to - from) & mask;
}

#define TIMER_SAMPLES 4096u

/* Keeps each sample with equal probability once there are more than fit: Vitter 1985, algorithm R.
 * The order does not matter, so the samples may be sorted in between. */
static void add_reservoir_sample(struct gpu_timer *timer, float ms)
{
    uint64_t at = base_hash64(&timer->calls, sizeof timer->calls, 0) % timer->calls;
    if (timer->ms.count < TIMER_SAMPLES)
        (void)BASE_ARRAY_PUSH(&timer->ms, ms); /* a missing sample only widens the median */
    else if (at < TIMER_SAMPLES)
        timer->ms.items[at] = ms;
}

static void add_sample(gpu_timers *timers, uint32_t pass, double ms)
{
    struct gpu_timer *timer = &timers->passes[pass];
    timer->predicted_ms = timer->predicted_ms > 0.0 ? 0.75 * timer->predicted_ms + 0.25 * ms : ms;
    timer->total_ms += ms;
    timer->calls++;
    timers->measured = true;
    add_reservoir_sample(timer, (float)ms);
}

/* Adds the time of one piece; the pieces of a pass are one call. */
static void add_dispatch_time(gpu_timers *timers, const gpu_timestamp *stamp, double ms)
{
    struct gpu_timer *timer = &timers->passes[stamp->pass];
    timer->partial_ms = stamp->first ? ms : timer->partial_ms + ms;
    if (!stamp->more) add_sample(timers, stamp->pass, timer->partial_ms);
}

/* Reports whether a run took so much more or less time that the predictions of its passes are
 * useless. */
static bool run_time_has_changed(const gpu_timers *timers, double ms)
{
    double predicted_ms = timers->passes[timers->pass_count].predicted_ms;
    return ms > 1.5 * predicted_ms || 1.5 * ms < predicted_ms;
}

static void add_timestamp(gpu_command_slot *slot, const gpu_timestamp *stamp, double ms)
{
    gpu_timers *timers = stamp->timers;
    if (!timers) return;
    bool whole = stamp->pass == GPU_TIMESTAMP_PASS_LIST;
    if (!whole) timers->passes[stamp->pass].known |= !stamp->more;
    if (!whole && gpu_loop_pass_ran(slot, stamp)) add_dispatch_time(timers, stamp, ms);
    if (slot->elapsed_ms) *slot->elapsed_ms += ms;
    if (timers->call != stamp->call) timers->whole_ms = 0.0;
    timers->call = stamp->call;
    timers->whole_ms += ms;
    if (!stamp->last) return;
    if (whole)
        timers->changed |= run_time_has_changed(timers, timers->whole_ms);
    else
        add_sample(timers, timers->pass_count, timers->whole_ms);
}

#define COUNTERS_MAX 3u

/* Collects shader statistics. They exist only where a pass was recorded, so each query is read by
 * itself. */
static void collect_statistics(gpu_device *device, gpu_command_slot *slot)
{
    uint64_t counts[COUNTERS_MAX];
    for (uint32_t q = 0; slot->statistics && q < slot->query_count; q++) {
        const gpu_timestamp *stamp = &slot->stamps[q];
        if (stamp->pass >= GPU_TIMESTAMP_PASS_LIST || !stamp->timers) continue;
        uint32_t n = device->draws ? 3 : 1;
        if (device->vk.vkGetQueryPoolResults(device->handle, slot->statistics, q, 1,
                                             n * sizeof counts[0], counts, n * sizeof counts[0],
                                             VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
            continue;
        for (uint32_t k = 0; k < n; k++)
            stamp->timers->passes[stamp->pass].invocations += (double)counts[k];
    }
}

static double ticks_to_ms(const gpu_device *device, uint64_t from, uint64_t to)
{
    return (double)gpu_ticks_elapsed(from, to, device->timestamp_bits) *
           (double)device->limits.timestampPeriod * 1e-6;
}

void gpu_timers_collect(gpu_device *device, gpu_command_slot *slot)
{
    if (!slot->queries || slot->query_count == 0) return;
    const uint64_t *ticks = slot->ticks->mapped;
    double length_ms = ticks_to_ms(device, ticks[0], ticks[slot->query_count - 1]);
    device->longest_ms = fmax(device->longest_ms, length_ms);
    for (uint32_t q = 1; q < slot->query_count; q++) {
        const gpu_timestamp *stamp = &slot->stamps[q];
        if (stamp->pass == GPU_TIMESTAMP_START) continue;
        add_timestamp(slot, stamp, ticks_to_ms(device, ticks[q - 1], ticks[q]));
        if (gpu_is_traced(device) && stamp->pass != GPU_TIMESTAMP_PASS_LIST &&
            gpu_loop_pass_ran(slot, stamp))
            gpu_trace_pass(device, &slot->trace_name, stamp, &ticks[q - 1]);
    }
    collect_statistics(device, slot);
    device->clock.last_ticks = ticks[slot->query_count - 1];
    slot->query_count = 0;
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

gpu_pass_time gpu_timers_pass_time(const gpu_timers *timers, uint32_t pass)
{
    const struct gpu_timer *timer = &timers->passes[pass];
    gpu_pass_time time = {.calls = timer->calls, .total_ms = timer->total_ms};
    size_t n = timer->ms.count;
    if (n == 0) return time;
    qsort(timer->ms.items, n, sizeof(float), compare_floats);
    time.median_ms = (double)timer->ms.items[n / 2];
    time.lower_quartile_ms = (double)timer->ms.items[n / 4];
    time.upper_quartile_ms = (double)timer->ms.items[n - 1 - n / 4];
    time.invocations = timer->invocations / timer->calls;
    return time;
}
