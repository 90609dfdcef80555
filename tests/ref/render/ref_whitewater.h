/* Reference of whitewater in plain C: every shader of shaders/whitewater, with sums in double
 * precision over all points instead of those in nearby bins. Sides are closed; there are no
 * solids. */
#ifndef WEIR_REF_WHITEWATER_H
#define WEIR_REF_WHITEWATER_H

#include "base.h"

#include "shared/whitewater.h"

typedef struct ref_fluid {
    const struct whitewater_params *params;
    const vec4 *points;     /* [count], xyz in m */
    const vec4 *velocities; /* [count], xyz in m/s */
    const uint32_t *ids;    /* [count] */
    uint32_t count;
} ref_fluid;

/* Random numbers by pcg4d. */
uvec4 ref_random_words(uvec4 counter);

/* Computes the unit normal in xyz, 0 away from the surface, and the fill fraction in w. `surfaces`
 * is [count]. */
void ref_whitewater_surfaces(const ref_fluid *fluid, vec4 *surfaces);

typedef struct ref_emission {
    double rate[WHITEWATER_CAUSES];
    uint32_t count[WHITEWATER_CAUSES];
    bool close; /* rounding could change the count by one */
} ref_emission;
/* Counts the whitewater particles that the fluid particle at an index emits. */
ref_emission ref_whitewater_count_emitted(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i);

/* Returns the k-th whitewater particle emitted by the fluid particle at an index, without its
 * id. */
struct whitewater_particle ref_whitewater_emit(const ref_fluid *fluid, const vec4 *surfaces,
                                               uint32_t i, uint32_t k);

typedef struct ref_advected {
    struct whitewater_particle particle;
    bool lives;
    bool close; /* rounding could change its kind */
} ref_advected;
ref_advected ref_whitewater_advect(const ref_fluid *fluid,
                                   const struct whitewater_particle *particle);

#endif
