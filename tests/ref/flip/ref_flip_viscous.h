/* Reference of viscosity on the MAC grid on the CPU, derived from the dissipated power: the force
 * on a face is minus half the derivative of the power with respect to the face's velocity.
 * Differences give this derivative exactly, because the power is quadratic (Batty and Bridson
 * 2008). */
#ifndef WEIR_TESTS_REF_FLIP_VISCOUS_H
#define WEIR_TESTS_REF_FLIP_VISCOUS_H

#include "ref_flip.h"

typedef struct ref_flip_viscous {
    const ref_flip *f;
    const uint32_t *cells;  /* dense: bits of the viscosity, and flags such as SIM_VISCOUS_FLUID */
    const vec4 *velocities; /* dense: velocities of the lower faces, m/s */
    const vec4 *inverse_densities; /* dense: of the faces; NULL if all are 1 */
} ref_flip_viscous;

/* The lower face of a cell across an axis, all values divided by density and volume: its mass, the
 * momentum that viscosity removes in a substep, m/s, and the coefficient of its own velocity in
 * that momentum. All are 0 on a face that a wall holds or that lies in air. */
typedef struct ref_flip_face {
    double mass, taken, own;
} ref_flip_face;
ref_flip_face ref_flip_viscous_face(const ref_flip_viscous *v, const int at[3], int axis);

#endif
