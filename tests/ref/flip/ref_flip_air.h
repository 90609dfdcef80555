/* Reference of the momentum residual (the momentum that particles receive from faces beyond the
 * impulse of the pressure), of faces in air and of faces that boundaries close, on the CPU; the
 * equations are in shaders/sim/flip/flip_momentum_residual.comp, shaders/lib/mac/air.glsl and
 * shaders/sim/boundary/flip_closed_face_velocity.comp. Without bodies and viscosity. */
#ifndef WEIR_TESTS_REF_FLIP_AIR_H
#define WEIR_TESTS_REF_FLIP_AIR_H

#include "ref_flip.h"

/* Dense, before friction; `flip` needs faces, changes, slopes and masses. */
typedef struct ref_air {
    const ref_flip *flip;
} ref_air;

/* FLUID: next to fluid; AIR: in air, but read by particles; NONE: neither. */
typedef enum ref_face { REF_FACE_NONE, REF_FACE_FLUID, REF_FACE_AIR } ref_face;
ref_face ref_air_kind(const ref_air *a, const int at[3], int axis);

/* Computes the change of velocity of a face in air in the substep, and its drift. */
void ref_air_change(const ref_air *a, const int at[3], int axis, double *change, double *slope);

/* Momentum of one face, in m/s times full cells: given to the particles, and by the solve to the
 * fluid; and the number of full cells that take part. */
typedef struct ref_face_momentum {
    double particles, solve, mass;
} ref_face_momentum;
ref_face_momentum ref_air_momentum(const ref_air *a, const int at[3], int axis);

/* Returns the residual of sums over faces, per axis: without the part along the solve's impulse
 * that supports a weight; `weight` is that of the sums' mass, times dt. */
void ref_air_residual(const double particles[3], const double solve[3], const double weight[3],
                      double residual[3]);

/* A face that a boundary closes, and what is known around it. */
typedef struct ref_closed_face {
    double before;             /* m/s: its velocity at the start of the substep */
    double change;             /* m/s: mean change of its open neighbours */
    double around[3];          /* m/s: mean velocity of the open faces of the other axes */
    double normal[3], wall[3]; /* of the boundary; m/s */
} ref_closed_face;
double ref_closed_face_velocity(const ref_closed_face *face, int axis);

#endif
