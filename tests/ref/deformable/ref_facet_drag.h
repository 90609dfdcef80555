/* Reference of the drag of facets on fluid, on the CPU. */
#ifndef WEIR_TESTS_REF_FACET_DRAG_H
#define WEIR_TESTS_REF_FACET_DRAG_H

#include "ref_deformable.h"

/* Returns the distance of a particle at p from the surface of a facet, m. */
float ref_facet_distance(const ref_deformables *s, const uvec4 *facet, vec3 p);

/* A particle that a facet drags. */
typedef struct ref_dragged_particle {
    const uvec4 *facet;
    const vec2 *skin; /* skin friction of the facet */
    vec3 p, moved;    /* m: position, and displacement in the substep */
    vec3 impulse;     /* kg m: impulse so far in the substep */
    float weights[3]; /* output: weights of the facet's vertices */
    uint32_t fluid;
} ref_dragged_particle;

/* Returns the change of the impulse, kg m. `counts` holds the number of dragged particles per
 * vertex. */
vec3 ref_facet_drag(const ref_deformables *s, ref_dragged_particle *particle,
                    const uint32_t *counts);

#endif
