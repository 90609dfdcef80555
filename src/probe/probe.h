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

/* Asks at `count` places, vec3 each, among the points as the work that was submitted so far leaves
 * them. Submits, and waits only where PROBE_MAX_IN_FLIGHT sets are under way, or where it needs
 * larger buffers. Errors: MEMORY, DEVICE_LOST, ARGUMENT (as grid_create). */
weir_result probe_submit(probe *p, const particle_view *points, const vec3 *places, uint32_t count);

/* The newest answers, which live until the next call of probe_submit. `wait`: those to the last
 * questions; else those to the last ones that the device has finished. *number: of the questions,
 * counted from 1; 0 and no answers before the first. Errors: DEVICE_LOST. */
weir_result probe_read(probe *p, bool wait, const struct probe_sample **answers, uint32_t *count,
                       uint64_t *number);

#endif
