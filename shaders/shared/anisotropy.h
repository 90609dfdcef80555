/* The fit of ellipsoids to points: parameter block. */
#ifndef WEIR_SHARED_ANISOTROPY_H
#define WEIR_SHARED_ANISOTROPY_H

#include "glue.h"

/* Neighbours below which a shape is a sphere, and from which on the covariance alone decides. */
#define ANISOTROPY_SPHERE_BELOW 3.0f
#define ANISOTROPY_FREE_FROM 8.0f
#define ANISOTROPY_AXIS_MAX 2.0f /* longest axis, in those of a full lattice */
#define ANISOTROPY_SWEEPS 5u     /* of the Jacobi rotations */

struct anisotropy_params {
    float inverse_radius;   /* 1/m */
    float inverse_variance; /* k_s: 1/m2, of a full lattice */
    float inverse_weight;   /* 1 over the summed weights of a full lattice */
    float flat_offset;      /* m: from a particle in a flat surface to its neighbours' mean */
    float smoothing;        /* of centres, 0 to 1 */
    float inverse_stretch;  /* 1 / k_r */
    float pad0, pad1;
};
WEIR_SIZE_CHECK(struct anisotropy_params, 32);

#endif
