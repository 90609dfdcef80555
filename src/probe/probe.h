/* probe: what fluid is at given points, answered by the device while everything goes on. Knows
 * nothing of who moves the particles. Kernels: shaders/probe; layouts: shaders/shared/probe.h. */
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

#define PROBE_ASKED 3u /* sets of questions under way, at most */

/* Asks at `count` places, vec3 each, among the points as the work that was submitted so far leaves
 * them. Submits, and waits only where PROBE_ASKED sets are under way, or where it needs larger
 * buffers. Errors: MEMORY, DEVICE_LOST, ARGUMENT (as grid_create). */
weir_result probe_ask(probe *p, const grid_points *points, const vec3 *places, uint32_t count);

/* The newest answers, which live until the next call of probe_ask. `wait`: those to the last
 * questions; else those to the last ones that the device has finished. *number: of the questions,
 * counted from 1; 0 and no answers before the first. Errors: DEVICE_LOST. */
weir_result probe_answers(probe *p, bool wait, const struct probe_answer **answers, uint32_t *count,
                          uint64_t *number);

#endif
