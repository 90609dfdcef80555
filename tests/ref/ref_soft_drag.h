/* How facets drag fluid, on the CPU. */
#ifndef WEIR_TESTS_REF_SOFT_DRAG_H
#define WEIR_TESTS_REF_SOFT_DRAG_H

#include "ref_soft.h"

/* m: how far a particle at p is from a facet's surface. */
float ref_soft_far(const ref_softs *s, const uvec4 *facet, vec3 p);

/* A particle that a facet drags. */
typedef struct ref_dragged {
    const uvec4 *facet;
    const vec2 *skin; /* of the facet */
    vec3 p, moved;    /* m: where it is, and its way in the substep */
    vec3 impulse;     /* kg m, that it has got in the substep */
    float weights[3]; /* of the facet's vertices: written */
    uint32_t fluid;
} ref_dragged;

/* What the impulse changes by, kg m. `counts`: of dragged particles, per vertex. */
vec3 ref_soft_drag(const ref_softs *s, ref_dragged *particle, const uint32_t *counts);

#endif
