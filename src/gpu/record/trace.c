/* Traces of the recorder and the GPU on a common time axis. Frames and pass lists are spans around
 * their passes, so that spans nest. Tracy gets the same spans: base_tracy.h. */
#include "gpu_trace.h"

/* ---- clocks --------------------------------------------------------------------------------- */

static weir_result read_calibrated_clocks(gpu_device *device)
{
    const VkCalibratedTimestampInfoEXT clocks[] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
    };
    uint64_t times[2], deviation;
    WEIR_RETURN_IF_ERROR(
        GPU_VK(device, vkGetCalibratedTimestampsEXT, 2, clocks, times, &deviation));
    device->clock.ticks = times[0];
    device->clock.cpu_s = (double)times[1] * 1e-9; /* base_time_s reads the same clock */
    return WEIR_OK;
}

/* Synchronizes the clocks without calibrated timestamps: takes the middle of the shortest of a few
 * round trips through the queue. */
static weir_result read_clocks_by_round_trip(gpu_device *device)
{
    double shortest = INFINITY;
    for (int i = 0; i < 5; i++) {
        gpu_timestamp start = {.pass = GPU_TIMESTAMP_START};
        double before = base_time_s();
        WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
        gpu_timestamp_write(device, &start);
        WEIR_RETURN_IF_ERROR(gpu_record_finish(device));
        double after = base_time_s();
        if (after - before >= shortest) continue;
        shortest = after - before;
        device->clock.ticks = device->clock.last_ticks;
        device->clock.cpu_s = 0.5 * (before + after);
    }
    return WEIR_OK;
}

double gpu_clock_seconds(const gpu_device *device, uint64_t ticks)
{
    const gpu_clock *clock = &device->clock;
    uint64_t after = gpu_ticks_elapsed(clock->ticks, ticks, device->timestamp_bits);
    uint64_t before = gpu_ticks_elapsed(ticks, clock->ticks, device->timestamp_bits);
    double since = before < after ? -(double)before : (double)after;
    return clock->cpu_s + since * (double)device->limits.timestampPeriod * 1e-9;
}

/* ---- spans ---------------------------------------------------------------------------------- */

bool gpu_is_traced(const gpu_device *device)
{
    return device->trace || base_tracy_is_live();
}

enum { LEVEL_RECORDING, LEVEL_PASS_LIST, LEVEL_PASS };

static void emit_span(gpu_device *device, uint32_t level, const base_span *span)
{
    base_trace_span(device->trace, span);
    base_tracy_gpu_begin(&device->tracy, level, span);
}

static base_span make_trace_span(const char *name, const gpu_span *span)
{
    return (base_span){
        .track = "GPU", .name = name, .start_s = span->start_s, .end_s = span->end_s};
}

/* Emits the span of the pass list that starts at passes[0], around all passes of its call. */
static void emit_pass_list_span(gpu_device *device, const gpu_span *passes, const gpu_span *end)
{
    base_span table = make_trace_span(passes->table, passes);
    for (const gpu_span *pass = passes; pass < end && pass->call == passes->call; pass++)
        table.end_s = pass->end_s;
    table.labels[0] = "number";
    table.numbers[0] = passes->outer;
    emit_span(device, LEVEL_PASS_LIST, &table);
}

static void emit_pass(gpu_device *device, const gpu_span *pass)
{
    base_span span = make_trace_span(pass->name, pass);
    span.labels[0] = "substep";
    span.labels[1] = "iteration";
    span.numbers[0] = pass->outer;
    span.numbers[1] = pass->inner;
    span.is_pass = true;
    emit_span(device, LEVEL_PASS, &span);
}

/* Emits the recording's span, then its pass lists and their passes, in order of time. */
static void emit_recording_spans(gpu_device *device)
{
    if (device->spans.count == 0) return;
    const gpu_span *first = device->spans.items, *end = first + device->spans.count;
    base_span whole = make_trace_span(device->traced.text, first);
    whole.end_s = end[-1].end_s;
    whole.labels[0] = "number";
    whole.numbers[0] = device->traced.number;
    whole.flow = device->traced.recording;
    whole.ends_flow = true;
    emit_span(device, LEVEL_RECORDING, &whole);
    for (const gpu_span *pass = first; pass < end; pass++) {
        if (pass == first || pass->call != pass[-1].call) emit_pass_list_span(device, pass, end);
        emit_pass(device, pass);
    }
    base_tracy_gpu_end(&device->tracy, LEVEL_RECORDING);
    device->spans.count = 0;
}

void gpu_trace_pass(gpu_device *device, const gpu_trace_name *title, const gpu_timestamp *stamp,
                    const uint64_t ticks[2])
{
    if (device->traced.recording != title->recording) emit_recording_spans(device);
    device->traced = *title;
    gpu_span span = {.name = stamp->name,
                     .table = stamp->timers ? stamp->timers->trace_name : "table",
                     .call = stamp->call,
                     .outer = stamp->outer,
                     .inner = stamp->inner,
                     .start_s = gpu_clock_seconds(device, ticks[0]),
                     .end_s = gpu_clock_seconds(device, ticks[1])};
    /* Spans must not overlap, even if the clocks were synchronized again in between. */
    span.start_s = fmax(span.start_s, device->traced_until_s);
    span.end_s = fmax(span.end_s, span.start_s);
    device->traced_until_s = span.end_s;
    (void)BASE_ARRAY_PUSH(&device->spans,
                          span); /* if memory is short, the pass is only missing from the trace */
}

double gpu_trace_begin(const char *name)
{
    base_tracy_begin(name);
    return base_time_s();
}

void gpu_trace_cancel(void)
{
    base_tracy_end();
}

void gpu_trace_cpu(gpu_device *device, const char *name, double start_s, uint64_t ticket)
{
    base_tracy_end();
    if (!device->trace) return;
    base_trace_span(device->trace, &(base_span){.track = "CPU",
                                                .name = name,
                                                .start_s = start_s,
                                                .end_s = base_time_s(),
                                                .labels = {"ticket"},
                                                .numbers = {ticket}});
}

void gpu_trace_submit(gpu_device *device, double start_s, uint64_t recording)
{
    base_tracy_end();
    if (!device->trace) return;
    base_trace_span(device->trace, &(base_span){.track = "CPU",
                                                .name = "submit",
                                                .start_s = start_s,
                                                .end_s = base_time_s(),
                                                .labels = {"ticket"},
                                                .numbers = {device->next_ticket},
                                                .flow = recording});
}

void gpu_trace_sync_clocks(gpu_device *device)
{
    double now_s = base_time_s();
    if (!gpu_is_traced(device) || !device->clock.offered || now_s - device->clock.set_s < 1.0)
        return;
    if (read_calibrated_clocks(device) == WEIR_OK) device->clock.set_s = now_s;
}

void gpu_record_set_trace_name(gpu_device *device, const char *title, uint64_t number)
{
    WEIR_ASSERT(device->recording);
    device->trace_name.text = title;
    device->trace_name.number = number;
}

static weir_result set_clocks(gpu_device *device)
{
    if (device->timestamp_bits == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(device->clock.offered ? read_calibrated_clocks(device)
                                               : read_clocks_by_round_trip(device));
    device->clock.set_s = base_time_s();
    return WEIR_OK;
}

weir_result gpu_trace_init(gpu_device *device)
{
    device->tracy.name = device->info.name;
    return BASE_HAS_TRACY ? set_clocks(device) : WEIR_OK;
}

weir_result gpu_device_set_trace(gpu_device *device, base_trace *trace)
{
    WEIR_RETURN_IF_ERROR(gpu_device_wait(device));
    emit_recording_spans(device);
    device->trace = trace;
    return trace ? set_clocks(device) : WEIR_OK;
}

base_trace *gpu_device_trace(const gpu_device *device)
{
    return device->trace;
}
