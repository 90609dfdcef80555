/* What gauges read, on the CPU: straight from the definition, in double. */
#ifndef WEIR_TESTS_REF_GAUGES_H
#define WEIR_TESTS_REF_GAUGES_H

#include "ref_pbf.h"

/* Particles after one substep, as the gauges' kernels see them. */
typedef struct ref_measured {
    const struct sim_params *params;
    float dt;
    uint32_t count, slots;
    const vec4 *x, *a, *start;
    const vec4 *measured; /* [count * slots] */
} ref_measured;

/* x: metres, pascal or m3/s; xyz: newton. */
vec4 ref_gauge(const ref_measured *m, const struct sim_gauge *gauge);

#endif
