/* The Trace Event Format (JSON), which Perfetto and chrome://tracing open. */
#include "trace_internal.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct json_state {
    bool has_events;
} json_state;

/* Fifteen digits resolve nanoseconds over eleven days. */
#define EVENT_FLAGS (JSON_REAL_PRECISION(15))

/* Appends one event and releases it. */
static bool append_event(json_state *state, base_text *out, json_t *event)
{
    char *text = event ? json_dumps(event, EVENT_FLAGS) : NULL;
    bool good = text && base_text_append(out, "%s", state->has_events ? ",\n" : "") &&
                base_text_append_bytes(out, text, strlen(text));
    state->has_events = true;
    free(text);
    json_decref(event);
    return good;
}

static double microseconds(uint64_t ns)
{
    return (double)ns / 1000.0;
}

static json_t *name_event(const char *what, uint32_t track, const char *name)
{
    return json_pack("{s:s, s:i, s:i, s:s, s:{s:s}}", "ph", "M", "pid", 1, "tid", (int)track,
                     "name", what, "args", "name", name);
}

static bool begin(void *state, base_text *out)
{
    return base_text_append(out, "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n") &&
           append_event(state, out, name_event("process_name", 0, TRACE_PROCESS));
}

static bool name_track(void *state, base_text *out, uint32_t track, const char *name)
{
    return append_event(state, out, name_event("thread_name", track, name));
}

static bool append_span(void *state, base_text *out, uint32_t track, const base_span *span,
                        const uint64_t ns[2])
{
    json_t *args = json_object();
    for (int i = 0; i < 2 && span->labels[i]; i++)
        json_object_set_new(args, span->labels[i], json_integer((json_int_t)span->numbers[i]));
    bool good = append_event(state, out,
                             json_pack("{s:s, s:i, s:i, s:s, s:s, s:f, s:f, s:o}", "ph", "X", "pid",
                                       1, "tid", (int)track, "name", span->name, "cat", span->track,
                                       "ts", microseconds(ns[0]), "dur",
                                       microseconds(ns[1] - ns[0]), "args", args));
    if (span->flow == 0) return good;
    /* An arrow from the span that starts it to the one that it leads to: "bp" binds to these. */
    return good &&
           append_event(state, out,
                        json_pack("{s:s, s:i, s:i, s:s, s:s, s:f, s:I, s:s}", "ph",
                                  span->ends_flow ? "f" : "s", "pid", 1, "tid", (int)track, "name",
                                  "submission", "cat", "submission", "ts", microseconds(ns[0]),
                                  "id", (json_int_t)span->flow, "bp", "e"));
}

static bool append_counter(void *state, base_text *out, const char *name, uint64_t ns, double value)
{
    return append_event(state, out,
                        json_pack("{s:s, s:i, s:s, s:f, s:{s:f}}", "ph", "C", "pid", 1, "name",
                                  name, "ts", microseconds(ns), "args", "value", value));
}

static bool end(void *state, base_text *out)
{
    (void)state;
    return base_text_append(out, "\n]}\n");
}

const trace_format trace_json = {.begin = begin,
                                 .track = name_track,
                                 .span = append_span,
                                 .counter = append_counter,
                                 .end = end,
                                 .state_bytes = sizeof(json_state)};
