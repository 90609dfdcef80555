/* Whitewater in plain C: every kernel of shaders/foam, over all points instead of those of near
 * cells, with sums in double. Closed sides, no solids. */
#ifndef WEIR_REF_FOAM_H
#define WEIR_REF_FOAM_H

#include "base.h"

#include "shared/foam.h"

typedef struct ref_fluid {
    const struct foam_params *params;
    const vec4 *points;     /* [count], xyz m */
    const vec4 *velocities; /* [count], xyz m/s */
    const uint32_t *ids;    /* [count] */
    uint32_t count;
} ref_fluid;

/* pcg4d. */
uvec4 ref_random_words(uvec4 counter);

/* xyz: the unit normal, or 0 away from the surface; w: fill. `surfaces` is [count]. */
void ref_foam_surfaces(const ref_fluid *fluid, vec4 *surfaces);

typedef struct ref_births {
    double rate[FOAM_CAUSES];
    uint32_t count[FOAM_CAUSES];
    bool close; /* rounding could add or take one */
} ref_births;
/* Of the fluid particle at an index. */
ref_births ref_foam_births(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i);

/* Birth number `k` of the fluid particle at an index, without its id. */
struct foam_particle ref_foam_birth(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i,
                                    uint32_t k);

typedef struct ref_moved {
    struct foam_particle particle;
    bool lives;
    bool close; /* rounding could make another kind of it */
} ref_moved;
ref_moved ref_foam_move(const ref_fluid *fluid, const struct foam_particle *particle);

#endif
