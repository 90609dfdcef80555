/* base_tracy: what the library sends to Tracy (https://github.com/wolfpld/tracy) if the build has
 * WEIR_TRACY. Without it, every function is empty. Nothing is sent while no profiler is
 * connected to a client that works on demand. */
#ifndef WEIR_BASE_TRACY_H
#define WEIR_BASE_TRACY_H

#include "base.h"

/* The zones of one GPU, which has a track of its own. Zero, but for the name, before the first. */
#define BASE_TRACY_LEVELS 3u
typedef struct base_tracy_gpu {
    const char *name; /* of the GPU */
    bool has_context;
    uint8_t context;     /* number of the track */
    uint16_t next_query; /* numbers of beginnings and ends; they wrap around */
    double synced_s;     /* when Tracy was last sent the time */
    uint32_t depth;      /* number of open zones */
    struct {
        uint32_t level;
        double end_s;
    } open[BASE_TRACY_LEVELS];
} base_tracy_gpu;

#ifdef WEIR_TRACY
#define BASE_HAS_TRACY true

/* Reports whether zones arrive anywhere, so that times are worth measuring. */
bool base_tracy_is_live(void);

/* Begin and end a zone of the calling thread. Zones nest; `name` is copied. */
void base_tracy_begin(const char *name);
void base_tracy_end(void);

/* Ends a frame of the simulation. */
void base_tracy_frame(void);

/* Adds a point to a plot. `name`: a string literal. */
void base_tracy_counter(const char *name, double value);

/* Begins a zone of a GPU, with the times of the span, after ending those of its level and of higher
 * ones, which it does not lie in. The zones of a recording follow each other without a pause; the
 * last ones are ended by base_tracy_gpu_end with level 0. */
void base_tracy_gpu_begin(base_tracy_gpu *gpu, uint32_t level, const base_span *span);
void base_tracy_gpu_end(base_tracy_gpu *gpu, uint32_t level);

#else
#define BASE_HAS_TRACY false

static inline bool base_tracy_is_live(void)
{
    return false;
}

static inline void base_tracy_begin(const char *name)
{
    (void)name;
}

static inline void base_tracy_end(void) {}

static inline void base_tracy_frame(void) {}

static inline void base_tracy_counter(const char *name, double value)
{
    (void)name, (void)value;
}

static inline void base_tracy_gpu_begin(base_tracy_gpu *gpu, uint32_t level, const base_span *span)
{
    (void)gpu, (void)level, (void)span;
}

static inline void base_tracy_gpu_end(base_tracy_gpu *gpu, uint32_t level)
{
    (void)gpu, (void)level;
}

#endif

#endif
