/* trace_internal: what the formats of traces have in common. */
#ifndef WEIR_BASE_TRACE_INTERNAL_H
#define WEIR_BASE_TRACE_INTERNAL_H

#include "base.h"

/* A format of traces. The functions append to `out` what belongs into the file; times are in ns
 * since the start. A `state` belongs to one trace. They return false when memory is short. */
typedef struct trace_format {
    bool (*begin)(void *state, base_text *out);
    /* `track`: numbers of tracks begin at 1 */
    bool (*track)(void *state, base_text *out, uint32_t track, const char *name);
    bool (*span)(void *state, base_text *out, uint32_t track, const base_span *span,
                 const uint64_t ns[2]);
    bool (*counter)(void *state, base_text *out, const char *name, uint64_t ns, double value);
    bool (*end)(void *state, base_text *out);
    size_t state_bytes;
} trace_format;

extern const trace_format trace_json, trace_perfetto;

#define TRACE_PROCESS "weir"

#endif
