/* Reference of gauge readings on the CPU: from the definition, in double precision. */
#ifndef WEIR_TESTS_REF_GAUGES_H
#define WEIR_TESTS_REF_GAUGES_H

#include "ref_pbf.h"

/* Particles after one substep, as the gauge shaders see them. */
typedef struct ref_measured {
    const struct sim_params *params;
    float dt;
    uint32_t count, slots;
    const vec4 *x, *a, *start;
    const vec4 *measured; /* [count * slots] */
} ref_measured;

/* Returns the reading: x in m, Pa or m3/s; xyz in N for a force gauge. */
vec4 ref_gauge(const ref_measured *m, const struct sim_gauge *gauge);

#endif
