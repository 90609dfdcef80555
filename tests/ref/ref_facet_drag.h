/* How facets drag fluid, on the CPU. */
#ifndef WEIR_TESTS_REF_FACET_DRAG_H
#define WEIR_TESTS_REF_FACET_DRAG_H

#include "ref_deformable.h"

/* m: how far a particle at p is from a facet's surface. */
float ref_facet_distance(const ref_deformables *s, const uvec4 *facet, vec3 p);

/* A particle that a facet drags. */
typedef struct ref_dragged_particle {
    const uvec4 *facet;
    const vec2 *skin; /* of the facet */
    vec3 p, moved;    /* m: where it is, and its way in the substep */
    vec3 impulse;     /* kg m, that it has got in the substep */
    float weights[3]; /* of the facet's vertices: written */
    uint32_t fluid;
} ref_dragged_particle;

/* What the impulse changes by, kg m. `counts`: of dragged particles, per vertex. */
vec3 ref_facet_drag(const ref_deformables *s, ref_dragged_particle *particle,
                    const uint32_t *counts);

#endif
