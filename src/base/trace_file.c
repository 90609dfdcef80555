/* Writes traces in the Trace Event Format (JSON), which Perfetto and chrome://tracing open: spans
 * on named tracks, and counters over time. */
#include "base.h"

#include <jansson.h>
#include <stdlib.h>

#define TRACKS 16u

struct base_trace {
    base_mutex *mutex; /* guards all members below */
    base_writer *writer;
    double start_s;
    const char *tracks[TRACKS]; /* a track's number is its index + 1 */
    uint32_t track_count;
    weir_result result; /* the first failure, or WEIR_OK */
    bool has_events;
};

weir_result base_trace_open(const weir_log *log, const char *path, base_trace **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    *out = NULL;
    base_trace *trace = base_alloc(1, sizeof *trace);
    if (trace) trace->mutex = base_mutex_create();
    if (!trace || !trace->mutex) {
        base_fail(log, result, "%s: not enough memory for a trace", path);
        goto fail;
    }
    trace->start_s = base_time_s();
    WEIR_GOTO_IF_ERROR(base_writer_open(log, path, &trace->writer));
    static const char head[] = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
    trace->result = base_writer_write(trace->writer, head, sizeof head - 1);
    *out = trace;
    return WEIR_OK;
fail:
    if (trace) base_mutex_destroy(&trace->mutex);
    base_free(trace);
    return result;
}

/* Fifteen digits resolve nanoseconds over eleven days. */
#define EVENT_FLAGS (JSON_REAL_PRECISION(15))

/* Writes one event and releases it. A failure is kept and reported when the trace is closed. */
static void append_event(base_trace *trace, json_t *event)
{
    char *text = event ? json_dumps(event, EVENT_FLAGS) : NULL;
    if (trace->result == WEIR_OK && !text) trace->result = WEIR_ERROR_MEMORY;
    if (trace->result == WEIR_OK && trace->has_events)
        trace->result = base_writer_write(trace->writer, ",\n", 2);
    if (trace->result == WEIR_OK)
        trace->result = base_writer_write(trace->writer, text, strlen(text));
    trace->has_events = true;
    free(text);
    json_decref(event);
}

/* Returns the number of a track, and names the track on its first use. Beyond TRACKS tracks, the
 * last one is shared. */
static uint32_t track_number(base_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->track_count; i++)
        if (strcmp(trace->tracks[i], name) == 0) return i + 1;
    if (trace->track_count == TRACKS) return TRACKS;
    trace->tracks[trace->track_count++] = name;
    append_event(trace,
                 json_pack("{s:s, s:i, s:i, s:s, s:{s:s}}", "ph", "M", "pid", 1, "tid",
                           (int)trace->track_count, "name", "thread_name", "args", "name", name));
    return trace->track_count;
}

/* Returns the whole nanoseconds since the trace began. All times are rounded the same way, so that
 * spans nest exactly. */
static uint64_t nanoseconds(const base_trace *trace, double time_s)
{
    double ns = (time_s - trace->start_s) * 1e9;
    return ns > 0.0 ? (uint64_t)(ns + 0.5) : 0;
}

static double microseconds(uint64_t ns)
{
    return (double)ns / 1000.0;
}

void base_trace_span(base_trace *trace, const base_span *span)
{
    if (!trace) return;
    uint64_t start = nanoseconds(trace, span->start_s), end = nanoseconds(trace, span->end_s);
    json_t *args = json_object();
    for (int i = 0; i < 2 && span->labels[i]; i++)
        json_object_set_new(args, span->labels[i], json_integer((json_int_t)span->numbers[i]));
    base_mutex_lock(trace->mutex);
    int track = (int)track_number(trace, span->track);
    append_event(trace, json_pack("{s:s, s:i, s:i, s:s, s:f, s:f, s:o}", "ph", "X", "pid", 1, "tid",
                                  track, "name", span->name, "ts", microseconds(start), "dur",
                                  microseconds(end > start ? end - start : 0), "args", args));
    base_mutex_unlock(trace->mutex);
}

void base_trace_counter(base_trace *trace, const char *name, double time_s, double value)
{
    if (!trace) return;
    base_mutex_lock(trace->mutex);
    append_event(trace, json_pack("{s:s, s:i, s:s, s:f, s:{s:f}}", "ph", "C", "pid", 1, "name",
                                  name, "ts", microseconds(nanoseconds(trace, time_s)), "args",
                                  "value", isfinite(value) ? value : 0.0));
    base_mutex_unlock(trace->mutex);
}

weir_result base_trace_close(base_trace **pointer)
{
    base_trace *trace = *pointer;
    if (!trace) return WEIR_OK;
    *pointer = NULL;
    if (trace->result == WEIR_OK) trace->result = base_writer_write(trace->writer, "\n]}\n", 4);
    weir_result result = trace->result;
    if (result == WEIR_OK)
        result = base_writer_commit(&trace->writer);
    else
        base_writer_cancel(&trace->writer);
    base_mutex_destroy(&trace->mutex);
    base_free(trace);
    return result;
}
