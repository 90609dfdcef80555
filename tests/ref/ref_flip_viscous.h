/* Viscosity on the MAC grid on the CPU, from the power that it takes: the force on a face is minus
 * half the power's derivative by the face's velocity, which differences give exactly, for the power
 * is quadratic (Batty and Bridson 2008). */
#ifndef WEIR_TESTS_REF_FLIP_VISCOUS_H
#define WEIR_TESTS_REF_FLIP_VISCOUS_H

#include "ref_flip.h"

typedef struct ref_flip_viscous {
    const ref_flip *f;
    const uint32_t *cells;  /* dense: bits of the viscosity, and SIM_VISCOUS_FLUID and so on */
    const vec4 *velocities; /* dense: of the lower faces, m/s */
} ref_flip_viscous;

/* Of the lower face of a cell across an axis, over density and volume: its mass, what viscosity
 * takes from its momentum in a substep, m/s, and the factor of its own velocity in that. All 0 on a
 * face that a wall holds or that lies in air. */
typedef struct ref_flip_face {
    double mass, taken, own;
} ref_flip_face;
ref_flip_face ref_flip_viscous_face(const ref_flip_viscous *v, const int at[3], int axis);

#endif
