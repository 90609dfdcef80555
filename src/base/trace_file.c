/* Traces: spans on named tracks, and counters over time, in one of two formats. */
#include "base_tracy.h"
#include "trace_internal.h"

#define TRACKS 16u

struct base_trace {
    base_mutex *mutex; /* guards all members below */
    base_writer *writer;
    const trace_format *format;
    void *state;
    double start_s;
    const char *tracks[TRACKS]; /* a track's number is its index + 1 */
    uint32_t track_count;
    weir_result result; /* the first failure, or WEIR_OK */
    base_text text;     /* not written yet */
};

/* Writes what a format has appended. A failure is kept and reported when the trace is closed. */
static void write_text(base_trace *trace, bool good)
{
    if (trace->result == WEIR_OK && !good) trace->result = WEIR_ERROR_MEMORY;
    if (trace->result == WEIR_OK && trace->text.count > 0)
        trace->result = base_writer_write(trace->writer, trace->text.items, trace->text.count);
    trace->text.count = 0;
}

static void free_trace(base_trace *trace)
{
    base_mutex_destroy(&trace->mutex);
    base_free(trace->text.items);
    base_free(trace->state);
    base_free(trace);
}

weir_result base_trace_open(const weir_log *log, const char *path, base_trace **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    *out = NULL;
    base_trace *trace = base_alloc(1, sizeof *trace);
    if (trace) {
        bool is_json = !base_is_same_word(base_path_extension(path), BASE_TRACE_PERFETTO);
        trace->format = is_json ? &trace_json : &trace_perfetto;
        trace->mutex = base_mutex_create();
        trace->state = base_alloc(1, trace->format->state_bytes);
    }
    if (!trace || !trace->mutex || !trace->state) {
        base_fail(log, result, "%s: not enough memory for a trace", path);
        goto fail;
    }
    trace->start_s = base_time_s();
    WEIR_GOTO_IF_ERROR(base_writer_open(log, path, &trace->writer));
    write_text(trace, trace->format->begin(trace->state, &trace->text));
    *out = trace;
    return WEIR_OK;
fail:
    if (trace) free_trace(trace);
    return result;
}

/* Returns the number of a track, and names the track on its first use. Beyond TRACKS tracks, the
 * last one is shared. */
static uint32_t track_number(base_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->track_count; i++)
        if (strcmp(trace->tracks[i], name) == 0) return i + 1;
    if (trace->track_count == TRACKS) return TRACKS;
    trace->tracks[trace->track_count++] = name;
    write_text(trace, trace->format->track(trace->state, &trace->text, trace->track_count, name));
    return trace->track_count;
}

/* Returns the whole nanoseconds since the trace began. All times are rounded the same way, so that
 * spans nest exactly. */
static uint64_t nanoseconds(const base_trace *trace, double time_s)
{
    double ns = (time_s - trace->start_s) * 1e9;
    return ns > 0.0 ? (uint64_t)(ns + 0.5) : 0;
}

void base_trace_span(base_trace *trace, const base_span *span)
{
    if (!trace) return;
    uint64_t ns[2] = {nanoseconds(trace, span->start_s), nanoseconds(trace, span->end_s)};
    if (ns[1] < ns[0]) ns[1] = ns[0];
    base_mutex_lock(trace->mutex);
    uint32_t track = track_number(trace, span->track);
    write_text(trace, trace->format->span(trace->state, &trace->text, track, span, ns));
    base_mutex_unlock(trace->mutex);
}

void base_trace_counter(base_trace *trace, const char *name, double time_s, double value)
{
    base_tracy_counter(name, isfinite(value) ? value : 0.0);
    if (!trace) return;
    base_mutex_lock(trace->mutex);
    write_text(trace,
               trace->format->counter(trace->state, &trace->text, name, nanoseconds(trace, time_s),
                                      isfinite(value) ? value : 0.0));
    base_mutex_unlock(trace->mutex);
}

weir_result base_trace_close(base_trace **pointer)
{
    base_trace *trace = *pointer;
    if (!trace) return WEIR_OK;
    *pointer = NULL;
    write_text(trace, trace->format->end(trace->state, &trace->text));
    weir_result result = trace->result;
    if (result == WEIR_OK)
        result = base_writer_commit(&trace->writer);
    else
        base_writer_cancel(&trace->writer);
    free_trace(trace);
    return result;
}
