/* Traces in the Trace Event Format (JSON), which Perfetto and chrome://tracing open: spans on named
 * tracks and counters over time. */
#include "base.h"

#define TRACKS 16u

struct base_trace {
    base_mutex *mutex; /* guards all below */
    base_writer *writer;
    double start_s;
    const char *tracks[TRACKS]; /* a track's number is its index + 1 */
    uint32_t track_count;
    weir_result result; /* the first failure stays */
    bool any;
};

weir_result base_trace_open(const weir_log *log, const char *path, base_trace **out)
{
    weir_result result = WEIR_MEMORY;
    *out = NULL;
    base_trace *trace = base_alloc(1, sizeof *trace);
    if (trace) trace->mutex = base_mutex_create();
    if (!trace || !trace->mutex) {
        base_fail(log, result, "%s: no memory for a trace", path);
        goto fail;
    }
    trace->start_s = base_time_s();
    WEIR_TRY(base_writer_open(log, path, &trace->writer));
    static const char head[] = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
    trace->result = base_writer_write(trace->writer, head, sizeof head - 1);
    *out = trace;
    return WEIR_OK;
fail:
    if (trace) base_mutex_destroy(&trace->mutex);
    base_free(trace);
    return result;
}

/* Writes one event; a failure stays until the trace is closed. */
static void add(base_trace *trace, const char *event)
{
    if (trace->result == WEIR_OK && trace->any)
        trace->result = base_writer_write(trace->writer, ",\n", 2);
    if (trace->result == WEIR_OK)
        trace->result = base_writer_write(trace->writer, event, strlen(event));
    trace->any = true;
}

/* The number of a track, which is named when it is seen first; past TRACKS all share the last. */
static uint32_t track_number(base_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->track_count; i++)
        if (strcmp(trace->tracks[i], name) == 0) return i + 1;
    if (trace->track_count == TRACKS) return TRACKS;
    trace->tracks[trace->track_count++] = name;
    char event[256];
    snprintf(event, sizeof event,
             "{\"ph\": \"M\", \"pid\": 1, \"tid\": %u, \"name\": \"thread_name\", \"args\": "
             "{\"name\": \"%s\"}}",
             trace->track_count, name);
    add(trace, event);
    return trace->track_count;
}

/* Whole nanoseconds since the trace began: rounded alike everywhere, so that spans nest exactly. */
static uint64_t nanoseconds(const base_trace *trace, double time_s)
{
    double ns = (time_s - trace->start_s) * 1e9;
    return ns > 0.0 ? (uint64_t)(ns + 0.5) : 0;
}

/* In microseconds, as the format wants them, whatever the locale's decimal point. */
static const char *print_us(char out[32], uint64_t ns)
{
    snprintf(out, 32, "%llu.%03u", (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
    return out;
}

void base_trace_span(base_trace *trace, const base_span *span)
{
    if (!trace) return;
    char event[512], ts[32], dur[32];
    uint64_t start = nanoseconds(trace, span->start_s), end = nanoseconds(trace, span->end_s);
    base_mutex_lock(trace->mutex);
    uint32_t track = track_number(trace, span->track);
    snprintf(event, sizeof event,
             "{\"ph\": \"X\", \"pid\": 1, \"tid\": %u, \"name\": \"%s\", \"ts\": %s, \"dur\": %s, "
             "\"args\": {%s}}",
             track, span->name, print_us(ts, start), print_us(dur, end > start ? end - start : 0),
             span->args ? span->args : "");
    add(trace, event);
    base_mutex_unlock(trace->mutex);
}

void base_trace_counter(base_trace *trace, const char *name, double time_s, double value)
{
    if (!trace) return;
    char event[256], ts[32], number[32];
    base_print_float(number, isfinite(value) ? (float)value : 0.0f);
    base_mutex_lock(trace->mutex);
    snprintf(event, sizeof event,
             "{\"ph\": \"C\", \"pid\": 1, \"name\": \"%s\", \"ts\": %s, \"args\": {\"value\": %s}}",
             name, print_us(ts, nanoseconds(trace, time_s)), number);
    add(trace, event);
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
