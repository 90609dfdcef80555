/* What the particles take from faces beyond the pressure's impulse, and faces in air, on the CPU;
 * equations: shaders/sim/flip/flip_momentum_residual.comp, shaders/lib/mac/air.glsl. No bodies, no
 * viscosity. */
#ifndef WEIR_TESTS_REF_FLIP_AIR_H
#define WEIR_TESTS_REF_FLIP_AIR_H

#include "ref_flip.h"

/* Dense, and before friction: `flip` with faces, changes and slopes. */
typedef struct ref_air {
    const ref_flip *flip;
    const vec4 *masses; /* of faces, in full cells */
} ref_air;

/* Beside fluid; in the air, but particles take from it; neither. */
typedef enum ref_face { REF_FACE_NONE, REF_FACE_FLUID, REF_FACE_AIR } ref_face;
ref_face ref_air_kind(const ref_air *a, const int at[3], int axis);

/* Of a face in the air: what the substep changes, and its drift. */
void ref_air_change(const ref_air *a, const int at[3], int axis, double *change, double *slope);

/* x m/s times full cells beyond the pressure's, y full cells that take part. */
void ref_air_surplus(const ref_air *a, const int at[3], int axis, double out[2]);

#endif
