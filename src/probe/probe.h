/* probe: samples the fluid at given points on the device, without stopping the simulation. Does not
 * depend on the solver. Shaders: shaders/probe; layouts: shaders/shared/probe.h. */
#ifndef WEIR_PROBE_H
#define WEIR_PROBE_H

#include "grid.h"

#include "shared/probe.h"

typedef struct probe probe;

typedef struct probe_def {
    vec3 min, max; /* m: the domain */
    vec3 up;       /* unit, against gravity */
    bool periodic[3];
    bool planar;
    float plane; /* m: z of a planar fluid */
} probe_def;

weir_result probe_create(gpu_device *device, const probe_def *def, probe **out);
void probe_destroy(probe **pointer);

#define PROBE_MAX_IN_FLIGHT 3u /* maximum number of pending queries */

/* Submits a query at `count` points, against the particles as the work submitted so far leaves
 * them. It waits only if PROBE_MAX_IN_FLIGHT queries are pending, or if it needs larger buffers.
 * Errors: MEMORY, DEVICE_LOST, ARGUMENT (as grid_create). */
weir_result probe_submit(probe *p, const particle_view *points, const vec3 *places, uint32_t count);

/* Returns the newest results, which stay valid until the next call of probe_submit. With `wait`,
 * they are those of the last query; otherwise, those of the last query that the device has
 * finished. *number is the query's number, counted from 1; before the first query it is 0, without
 * results. Errors: DEVICE_LOST. */
weir_result probe_read(probe *p, bool wait, const struct probe_sample **answers, uint32_t *count,
                       uint64_t *number);

#endif
