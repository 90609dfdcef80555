/* Whitewater in plain C: every kernel of shaders/whitewater, over all points instead of those of
 * near cells, with sums in double. Closed sides, no solids. */
#ifndef WEIR_REF_WHITEWATER_H
#define WEIR_REF_WHITEWATER_H

#include "base.h"

#include "shared/whitewater.h"

typedef struct ref_fluid {
    const struct whitewater_params *params;
    const vec4 *points;     /* [count], xyz m */
    const vec4 *velocities; /* [count], xyz m/s */
    const uint32_t *ids;    /* [count] */
    uint32_t count;
} ref_fluid;

/* pcg4d. */
uvec4 ref_random_words(uvec4 counter);

/* xyz: the unit normal, or 0 away from the surface; w: fill. `surfaces` is [count]. */
void ref_whitewater_surfaces(const ref_fluid *fluid, vec4 *surfaces);

typedef struct ref_emission {
    double rate[WHITEWATER_CAUSES];
    uint32_t count[WHITEWATER_CAUSES];
    bool close; /* rounding could add or take one */
} ref_emission;
/* Of the fluid particle at an index. */
ref_emission ref_whitewater_count_emitted(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i);

/* Birth number `k` of the fluid particle at an index, without its id. */
struct whitewater_particle ref_whitewater_emit(const ref_fluid *fluid, const vec4 *surfaces,
                                               uint32_t i, uint32_t k);

typedef struct ref_advected {
    struct whitewater_particle particle;
    bool lives;
    bool close; /* rounding could make another kind of it */
} ref_advected;
ref_advected ref_whitewater_advect(const ref_fluid *fluid,
                                   const struct whitewater_particle *particle);

#endif
