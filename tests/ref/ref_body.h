/* The kernels of bodies on the CPU. Bodies and solids are balls, and boxes have no corners that a
 * shape's own test would not find. */
#ifndef WEIR_TESTS_REF_BODY_H
#define WEIR_TESTS_REF_BODY_H

#include "ref_pbf.h"

#include "shared/body.h"

typedef struct ref_bodies {
    const ref_pbf *pbf; /* its balls: the solids, then the bodies */
    const struct body_properties *properties;
    const struct body_state *states; /* at the substep's start */
    struct body_state *iterates;
} ref_bodies;

/* An impulse times the substep, kg m, and its moment, kg m2. */
typedef struct ref_impulse {
    double linear[3], angular[3];
    uint32_t contacts, contact_flags;
} ref_impulse;

struct body_state ref_body_integrate(const ref_bodies *b, uint32_t body);
/* What the hand's pull makes of its body at a frame's start. */
struct body_state ref_body_mouse_joint(const ref_bodies *b, const struct body_mouse_joint *hand);
struct body_state ref_body_apply_impulses(const ref_bodies *b, uint32_t body,
                                          const ref_impulse *impulse);
/* Recomputes the deepest contact of a sample, and counts it in `sums`. */
void ref_body_narrow_phase(const ref_bodies *b, const struct body_sample *sample,
                           struct body_contact *contact, ref_impulse *sums);
/* Solves a contact and adds what its impulses change; the numbers of contacts in `sums` stand. */
void ref_body_solve_contact(const ref_bodies *b, const struct body_sample *sample, float momentum,
                            struct body_contact *contact, ref_impulse *sums);
/* Where body_contact.comp puts a particle that the solve has moved from `own` to `p`; adds what the
 * bodies get. */
vec3 ref_particle_body_contact(const ref_bodies *b, ivec4 own, ivec4 p, ivec4 start,
                               ref_impulse *sums);

#endif
