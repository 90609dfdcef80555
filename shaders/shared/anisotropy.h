/* The fit of ellipsoids to points: parameter block. */
#ifndef WEIR_SHARED_ANISOTROPY_H
#define WEIR_SHARED_ANISOTROPY_H

#include "glue.h"

/* Neighbours below which a shape is a sphere, and from which on the covariance alone decides. */
#define ANISOTROPY_SPHERE_BELOW 3.0f
#define ANISOTROPY_FREE_FROM 8.0f
/* A sheet one particle thick. Its variances: the shortest over the middle one, the middle one over
 * the longest; its neighbours; the share of a full lattice's weight below which it is stretched:
 * then its ellipsoids are twice as flat, to cover the space between them; and the share that it
 * counts as having at least, so that it is not drawn as spray. */
#define ANISOTROPY_SHEET_FLAT 0.03f
#define ANISOTROPY_SHEET_ROUND 0.1f
#define ANISOTROPY_LINE 0.3f
#define ANISOTROPY_PLANE 0.6f
#define ANISOTROPY_SHEET_FROM 4.0f
#define ANISOTROPY_SPARSE 0.2f
#define ANISOTROPY_DENSE 0.35f
#define ANISOTROPY_SHEET_FILL 0.3f
/* A sheet that is stretched further is found by a wider search, which points make whose share is
 * below ANISOTROPY_SPARSE: the neighbours that make a full disc there, and the share up to which
 * that disc replaces the ellipsoid; from there to ANISOTROPY_SPARSE one fades into the other. */
#define ANISOTROPY_WIDE_FROM 5.0f
#define ANISOTROPY_WIDE_ALONE 0.14f
/* The offset of the mean of these neighbours, in radii of the wider search. Up to the first value a
 * point is inside the sheet; from the second on it is at the rim, where a disc would stick out. */
#define ANISOTROPY_INNER 0.13f
#define ANISOTROPY_RIM 0.18f
#define ANISOTROPY_AXIS_MAX 2.0f /* longest axis, in those of a full lattice */
#define ANISOTROPY_SWEEPS 5u     /* of the Jacobi rotations */

struct anisotropy_params {
    float inverse_radius;   /* 1/m */
    float inverse_variance; /* k_s: 1/m2, of a full lattice */
    float inverse_weight;   /* 1 over the summed weights of a full lattice */
    float flat_offset;      /* m: from a particle in a flat surface to its neighbours' mean */
    float smoothing;        /* of centres, 0 to 1 */
    float inverse_stretch;  /* 1 / k_r */
    float sheet_reach;      /* radius of the wider search, in radii */
    float pad0;
};
WEIR_SIZE_CHECK(struct anisotropy_params, 32);

#endif
