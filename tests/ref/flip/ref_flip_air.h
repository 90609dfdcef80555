/* Reference of the momentum residual (the momentum that particles receive from faces beyond the
 * impulse of the pressure) and of faces in air, on the CPU; the equations are in
 * shaders/sim/flip/flip_momentum_residual.comp and shaders/lib/mac/air.glsl. Without bodies and
 * viscosity. */
#ifndef WEIR_TESTS_REF_FLIP_AIR_H
#define WEIR_TESTS_REF_FLIP_AIR_H

#include "ref_flip.h"

/* Dense, before friction; `flip` needs faces, changes and slopes. */
typedef struct ref_air {
    const ref_flip *flip;
    const vec4 *masses; /* per face, in full cells */
} ref_air;

/* FLUID: next to fluid; AIR: in air, but read by particles; NONE: neither. */
typedef enum ref_face { REF_FACE_NONE, REF_FACE_FLUID, REF_FACE_AIR } ref_face;
ref_face ref_air_kind(const ref_air *a, const int at[3], int axis);

/* Computes the change of velocity of a face in air in the substep, and its drift. */
void ref_air_change(const ref_air *a, const int at[3], int axis, double *change, double *slope);

/* Computes the momentum residual: out[0] in m/s times full cells, beyond that of the pressure;
 * out[1] the number of full cells that take part. */
void ref_air_surplus(const ref_air *a, const int at[3], int axis, double out[2]);

#endif
