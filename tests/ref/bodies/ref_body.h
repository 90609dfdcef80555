/* Reference of the rigid body shaders on the CPU. Bodies and solids are balls; boxes have no
 * corners that the test of a shape itself would miss. */
#ifndef WEIR_TESTS_REF_BODY_H
#define WEIR_TESTS_REF_BODY_H

#include "ref_pbf.h"

#include "shared/body.h"

typedef struct ref_bodies {
    const ref_pbf *pbf; /* its balls: first the solids, then the bodies */
    const struct body_properties *properties;
    const struct body_state *states; /* at the start of the substep */
    struct body_state *iterates;
} ref_bodies;

/* Impulse times the substep, kg m, and its moment, kg m2. */
typedef struct ref_impulse {
    double linear[3], angular[3];
    uint32_t contacts, contact_flags;
} ref_impulse;

struct body_state ref_body_integrate(const ref_bodies *b, uint32_t body);
/* Applies the mouse joint to its body at the start of a frame. */
struct body_state ref_body_mouse_joint(const ref_bodies *b, const struct body_mouse_joint *hand);
struct body_state ref_body_apply_impulses(const ref_bodies *b, uint32_t body,
                                          const ref_impulse *impulse);
/* Recomputes the deepest contact of a sample and counts it in `sums`. */
void ref_body_narrow_phase(const ref_bodies *b, const struct body_sample *sample,
                           struct body_contact *contact, ref_impulse *sums);
/* Solves a contact and adds the change of its impulses to `sums`, whose contact counts do not
 * change. */
void ref_body_solve_contact(const ref_bodies *b, const struct body_sample *sample, float momentum,
                            struct body_contact *contact, ref_impulse *sums);
/* Returns the position that body_contact.comp gives a particle that the solver has moved from `own`
 * to `p`; adds the impulses on the bodies to `sums`. */
vec3 ref_particle_body_contact(const ref_bodies *b, ivec4 own, ivec4 p, ivec4 start,
                               ref_impulse *sums);

#endif
