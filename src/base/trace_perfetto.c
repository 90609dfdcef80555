/* Perfetto's own format: a message Trace of packets, in the encoding of Protocol Buffers
 * (https://protobuf.dev/programming-guides/encoding). The numbers of fields are those of
 * perfetto_trace.proto. Passes become GPU render stages, everything else slices on tracks. Names of
 * passes are interned, as render stages require. */
#include "trace_internal.h"

#define NAME_BYTES 64u
#define MAX_COUNTERS 32u

/* Numbers that identify things in a trace. */
enum {
    SEQUENCE = 1,       /* of all packets */
    PROCESS_TRACK = 1,  /* the program's */
    THREAD_TRACKS = 16, /* and above: tracks of spans */
    COUNTER_TRACKS = 64,
    CONTEXT = 1, /* interned: the graphics context, */
    QUEUE = 1,   /* the queue, */
    STAGES = 16, /* and above: passes */
    PROCESS_ID = 1,
};

typedef struct interned_name {
    char text[NAME_BYTES];
} interned_name;

typedef struct perfetto_state {
    BASE_ARRAY(interned_name) stages;
    interned_name counters[MAX_COUNTERS];
    uint32_t counter_count;
    uint64_t event_count;
    bool has_queue;
} perfetto_state;

/* ---- messages ------------------------------------------------------------------------------- */

/* A message that is being filled. */
typedef struct message {
    base_text bytes;
    bool failed; /* memory was short */
} message;

static void add_varint(message *m, uint64_t value)
{
    uint8_t bytes[10];
    size_t count = 0;
    do {
        bytes[count] = (uint8_t)(value & 127u);
        value >>= 7;
        if (value) bytes[count] |= 128u;
        count++;
    } while (value);
    m->failed |= !base_text_append_bytes(&m->bytes, bytes, count);
}

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2 }; /* wire types */

static void add_tag(message *m, uint32_t field, uint32_t wire)
{
    add_varint(m, (uint64_t)field << 3 | wire);
}

static void add_number(message *m, uint32_t field, uint64_t value)
{
    add_tag(m, field, VARINT);
    add_varint(m, value);
}

static void add_fixed64(message *m, uint32_t field, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    add_tag(m, field, FIXED64);
    m->failed |= !base_text_append_bytes(&m->bytes, bytes, sizeof bytes);
}

static void add_double(message *m, uint32_t field, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_fixed64(m, field, bits);
}

static void add_bytes(message *m, uint32_t field, const void *bytes, size_t size)
{
    add_tag(m, field, LENGTH);
    add_varint(m, size);
    m->failed |= !base_text_append_bytes(&m->bytes, bytes, size);
}

static void add_text(message *m, uint32_t field, const char *text)
{
    add_bytes(m, field, text, strlen(text));
}

/* Adds a message as a field, and empties it. */
static void add_message(message *m, uint32_t field, message *inner)
{
    add_bytes(m, field, inner->bytes.items ? inner->bytes.items : "", inner->bytes.count);
    m->failed |= inner->failed;
    base_free(inner->bytes.items);
    *inner = (message){0};
}

/* ---- packets -------------------------------------------------------------------------------- */

enum { PACKET_STATE_CLEARED = 1, PACKET_NEEDS_STATE = 2 };

/* Appends a packet with one message, and with `interned` data if there are any. */
static bool append_packet(base_text *out, uint64_t ns, uint32_t field, message *inner,
                          message *interned)
{
    message packet = {0}, trace = {0};
    add_number(&packet, 8, ns);
    add_number(&packet, 10, SEQUENCE);
    if (interned && interned->bytes.count > 0) add_message(&packet, 12, interned);
    add_number(&packet, 13, PACKET_NEEDS_STATE);
    add_message(&packet, field, inner);
    add_message(&trace, 1, &packet);
    bool good = !trace.failed && base_text_append_bytes(out, trace.bytes.items, trace.bytes.count);
    base_free(trace.bytes.items);
    return good;
}

static bool append_track(base_text *out, uint64_t track, uint32_t field, message *what,
                         const char *name)
{
    message descriptor = {0};
    add_number(&descriptor, 1, track);
    add_text(&descriptor, 2, name);
    if (track != PROCESS_TRACK) add_number(&descriptor, 5, PROCESS_TRACK);
    add_message(&descriptor, field, what);
    return append_packet(out, 0, 60, &descriptor, NULL);
}

static bool begin(void *user, base_text *out)
{
    (void)user;
    message packet = {0}, trace = {0}, process = {0};
    add_number(&packet, 10, SEQUENCE);
    add_number(&packet, 13, PACKET_STATE_CLEARED);
    add_message(&trace, 1, &packet);
    bool good = !trace.failed && base_text_append_bytes(out, trace.bytes.items, trace.bytes.count);
    base_free(trace.bytes.items);
    add_number(&process, 1, PROCESS_ID);
    add_text(&process, 6, TRACE_PROCESS);
    return append_track(out, PROCESS_TRACK, 3, &process, TRACE_PROCESS) && good;
}

static bool name_track(void *user, base_text *out, uint32_t track, const char *name)
{
    (void)user;
    message thread = {0};
    add_number(&thread, 1, PROCESS_ID);
    add_number(&thread, 2, PROCESS_ID + track);
    add_text(&thread, 5, name);
    return append_track(out, THREAD_TRACKS + track, 4, &thread, name);
}

/* ---- slices --------------------------------------------------------------------------------- */

enum { SLICE_BEGIN = 1, SLICE_END = 2, COUNTER = 4 }; /* TrackEvent.Type */

static bool append_slice(base_text *out, uint32_t track, const base_span *span,
                         const uint64_t ns[2])
{
    message first = {0}, last = {0};
    add_number(&first, 9, SLICE_BEGIN);
    add_number(&first, 11, THREAD_TRACKS + track);
    add_text(&first, 22, span->track);
    add_text(&first, 23, span->name);
    for (int i = 0; i < 2 && span->labels[i]; i++) {
        message note = {0};
        add_text(&note, 10, span->labels[i]);
        add_number(&note, 3, span->numbers[i]);
        add_message(&first, 4, &note);
    }
    if (span->flow) add_fixed64(&first, span->ends_flow ? 48 : 47, span->flow);
    add_number(&last, 9, SLICE_END);
    add_number(&last, 11, THREAD_TRACKS + track);
    bool good = append_packet(out, ns[0], 11, &first, NULL);
    return append_packet(out, ns[1], 11, &last, NULL) && good;
}

/* ---- passes --------------------------------------------------------------------------------- */

enum { CATEGORY_COMPUTE = 2, API_VULKAN = 2 };

static void add_specification(message *interned, uint64_t id, const char *name)
{
    message specification = {0};
    add_number(&specification, 1, id);
    add_text(&specification, 2, name);
    add_number(&specification, 4, CATEGORY_COMPUTE);
    add_message(interned, 24, &specification);
}

/* Returns the number of a stage; adds it to `interned` when it is new. 0 without memory. */
static uint64_t stage_number(perfetto_state *state, const char *name, message *interned)
{
    interned_name copy;
    snprintf(copy.text, sizeof copy.text, "%s", name);
    for (size_t i = 0; i < state->stages.count; i++)
        if (strcmp(state->stages.items[i].text, copy.text) == 0) return STAGES + i;
    if (!BASE_ARRAY_PUSH(&state->stages, copy)) return 0;
    uint64_t id = STAGES + state->stages.count - 1;
    add_specification(interned, id, copy.text);
    return id;
}

static void add_queue(perfetto_state *state, message *interned, const char *name)
{
    message context = {0};
    if (state->has_queue) return;
    state->has_queue = true;
    add_number(&context, 1, CONTEXT);
    add_number(&context, 2, PROCESS_ID);
    add_number(&context, 3, API_VULKAN);
    add_message(interned, 23, &context);
    add_specification(interned, QUEUE, name);
}

static bool append_stage(perfetto_state *state, base_text *out, const base_span *span,
                         const uint64_t ns[2])
{
    message event = {0}, interned = {0};
    add_queue(state, &interned, span->track);
    uint64_t stage = stage_number(state, span->name, &interned);
    add_number(&event, 1, ++state->event_count);
    add_number(&event, 2, ns[1] - ns[0]);
    add_number(&event, 5, CONTEXT);
    add_number(&event, 13, QUEUE);
    add_number(&event, 14, stage);
    for (int i = 0; i < 2 && span->labels[i]; i++) {
        message note = {0};
        char value[24];
        snprintf(value, sizeof value, "%llu", (unsigned long long)span->numbers[i]);
        add_text(&note, 1, span->labels[i]);
        add_text(&note, 2, value);
        add_message(&event, 6, &note);
    }
    return append_packet(out, ns[0], 53, &event, &interned) && stage != 0;
}

static bool append_span(void *user, base_text *out, uint32_t track, const base_span *span,
                        const uint64_t ns[2])
{
    if (span->is_pass) return append_stage(user, out, span, ns);
    return append_slice(out, track, span, ns);
}

/* ---- counters ------------------------------------------------------------------------------- */

/* Finds the track of a counter, which is described on its first use; beyond MAX_COUNTERS the last
 * one is shared. */
static bool counter_track(perfetto_state *state, base_text *out, const char *name, uint64_t *track)
{
    message counter = {0};
    for (uint32_t i = 0; i < state->counter_count; i++) {
        *track = COUNTER_TRACKS + i;
        if (strcmp(state->counters[i].text, name) == 0 || i + 1 == MAX_COUNTERS) return true;
    }
    snprintf(state->counters[state->counter_count].text, NAME_BYTES, "%s", name);
    *track = COUNTER_TRACKS + state->counter_count++;
    return append_track(out, *track, 8, &counter, name);
}

static bool append_counter(void *user, base_text *out, const char *name, uint64_t ns, double value)
{
    message event = {0};
    uint64_t track = 0;
    bool good = counter_track(user, out, name, &track);
    add_number(&event, 9, COUNTER);
    add_number(&event, 11, track);
    add_double(&event, 44, value);
    return append_packet(out, ns, 11, &event, NULL) && good;
}

static bool end(void *user, base_text *out)
{
    perfetto_state *state = user;
    (void)out;
    BASE_ARRAY_FREE(&state->stages);
    return true;
}

const trace_format trace_perfetto = {.begin = begin,
                                     .track = name_track,
                                     .span = append_span,
                                     .counter = append_counter,
                                     .end = end,
                                     .state_bytes = sizeof(perfetto_state)};
