/* What the recorder does, on one axis with what the GPU does. Frames and tables are spans around the
 * passes that lie in them, so everything nests. */
#include "gpu_internal.h"

/* ---- clocks --------------------------------------------------------------------------------- */

static weir_result read_calibrated(gpu_device *device)
{
    weir_result result = WEIR_OK;
    const VkCalibratedTimestampInfoEXT clocks[] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
    };
    uint64_t times[2], deviation;
    GPU_VK(device, device->vk.vkGetCalibratedTimestampsEXT(device->handle, 2, clocks, times,
                                                           &deviation));
    device->clock.ticks = times[0];
    device->clock.cpu_s = (double)times[1] * 1e-9; /* base_time_s reads the same clock */
fail:
    return result;
}

/* Without calibrated clocks: the middle of the shortest of a few round trips through the queue. */
static weir_result read_round_trip(gpu_device *device)
{
    weir_result result = WEIR_OK;
    double shortest = INFINITY;
    for (int i = 0; i < 5; i++) {
        uint64_t ticket;
        gpu_stamp start = {.row = GPU_STAMP_START};
        double before = base_time_s();
        WEIR_TRY(gpu_record_begin(device));
        gpu_stamp_write(device, &start);
        WEIR_TRY(gpu_record_submit(device, &ticket));
        WEIR_TRY(gpu_ticket_wait(device, ticket));
        double after = base_time_s();
        if (after - before >= shortest) continue;
        shortest = after - before;
        device->clock.ticks = device->clock.last_ticks;
        device->clock.cpu_s = 0.5 * (before + after);
    }
fail:
    return result;
}

double gpu_clock_seconds(const gpu_device *device, uint64_t ticks)
{
    const gpu_clock *clock = &device->clock;
    uint64_t after = gpu_ticks_passed(clock->ticks, ticks, device->timestamp_bits);
    uint64_t before = gpu_ticks_passed(ticks, clock->ticks, device->timestamp_bits);
    double way = before < after ? -(double)before : (double)after;
    return clock->cpu_s + way * (double)device->limits.timestampPeriod * 1e-9;
}

/* ---- spans ---------------------------------------------------------------------------------- */

static void hull_emit(gpu_device *device, gpu_hull *hull)
{
    char args[64];
    if (hull->key == 0) return;
    snprintf(args, sizeof args, "\"number\": %llu", (unsigned long long)hull->number);
    base_trace_span(device->trace, &(base_span){.track = "GPU",
                                                .name = hull->title,
                                                .start_s = hull->start_s,
                                                .end_s = hull->end_s,
                                                .args = args});
    hull->key = 0;
}

static void hull_grow(gpu_device *device, gpu_hull *hull, const gpu_hull *part)
{
    if (hull->key != part->key) {
        hull_emit(device, hull);
        *hull = *part;
    }
    hull->end_s = fmax(hull->end_s, part->end_s);
}

void gpu_trace_pass(gpu_device *device, const gpu_title *title, const gpu_stamp *stamp,
                    const uint64_t ticks[2])
{
    char args[96];
    double start_s = gpu_clock_seconds(device, ticks[0]);
    double end_s = gpu_clock_seconds(device, ticks[1]);
    /* A clock that was set anew in between must not make spans overlap. */
    if (device->frame.key) start_s = fmax(start_s, device->frame.end_s);
    end_s = fmax(end_s, start_s);
    gpu_hull table = {stamp->timers ? stamp->timers->title : "table", stamp->call, stamp->outer,
                      start_s, end_s};
    gpu_hull frame = {title->text, title->recording, title->number, start_s, end_s};
    hull_grow(device, &device->table, &table);
    hull_grow(device, &device->frame, &frame);
    snprintf(args, sizeof args, "\"substep\": %u, \"iteration\": %u", stamp->outer, stamp->inner);
    base_trace_span(
        device->trace,
        &(base_span){
            .track = "GPU", .name = stamp->name, .start_s = start_s, .end_s = end_s, .args = args});
}

void gpu_trace_cpu(gpu_device *device, const char *name, double start_s)
{
    if (!device->trace) return;
    base_trace_span(
        device->trace,
        &(base_span){.track = "CPU", .name = name, .start_s = start_s, .end_s = base_time_s()});
}

void gpu_record_title(gpu_device *device, const char *title, uint64_t number)
{
    WEIR_ASSERT(device->recording);
    device->title.text = title;
    device->title.number = number;
}

weir_result gpu_device_set_trace(gpu_device *device, base_trace *trace)
{
    weir_result result;
    WEIR_TRY(gpu_device_wait(device));
    hull_emit(device, &device->table);
    hull_emit(device, &device->frame);
    device->trace = trace;
    if (!trace || device->timestamp_bits == 0) return WEIR_OK;
    WEIR_TRY(device->clock.offered ? read_calibrated(device) : read_round_trip(device));
    device->clock.set_s = base_time_s();
    hull_emit(device, &device->frame);
    return WEIR_OK;
fail:
    return result;
}

base_trace *gpu_device_trace(const gpu_device *device)
{
    return device->trace;
}
