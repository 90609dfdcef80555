/* The fit of ellipsoids to points: thresholds and parameter block. */
#ifndef WEIR_SHARED_ANISOTROPY_H
#define WEIR_SHARED_ANISOTROPY_H

#include "glue.h"

/* Numbers of neighbours: below the first, the shape is a sphere; from the second on, it follows
 * from the covariance alone. */
#define ANISOTROPY_SPHERE_BELOW 3.0f
#define ANISOTROPY_FREE_FROM 8.0f
/* Thresholds for a sheet one particle thick. Ratios of its variances: the shortest over the middle
 * one (SHEET_FLAT, SHEET_ROUND), the middle one over the longest (LINE, PLANE). SHEET_FROM: its
 * number of neighbours. SPARSE, DENSE: fractions of a full lattice's weight between which it begins
 * to count as stretched; its ellipsoids are then twice as flat, to cover the gaps between them.
 * SHEET_FILL: minimum fraction that a sheet counts as having, so that it is not drawn as spray. */
#define ANISOTROPY_SHEET_FLAT 0.03f
#define ANISOTROPY_SHEET_ROUND 0.1f
#define ANISOTROPY_LINE 0.3f
#define ANISOTROPY_PLANE 0.6f
#define ANISOTROPY_SHEET_FROM 4.0f
#define ANISOTROPY_SPARSE 0.2f
#define ANISOTROPY_DENSE 0.35f
#define ANISOTROPY_SHEET_FILL 0.3f
/* A sheet that is stretched further is found by a wider search, for points whose fraction is below
 * ANISOTROPY_SPARSE: the number of neighbours that make a full disc there, and the fraction up to
 * which the disc replaces the ellipsoid; from there to ANISOTROPY_SPARSE the two are blended. */
#define ANISOTROPY_WIDE_FROM 5.0f
#define ANISOTROPY_WIDE_ALONE 0.14f
/* Offset of the mean of these neighbours, in radii of the wider search. Up to the first value a
 * point is inside the sheet; from the second on it is at the rim, where a disc would stick out. */
#define ANISOTROPY_INNER 0.13f
#define ANISOTROPY_RIM 0.18f
#define ANISOTROPY_AXIS_MAX 2.0f /* longest axis over that of a full lattice */
#define ANISOTROPY_SWEEPS 5u     /* sweeps of the Jacobi eigenvalue iteration */

struct anisotropy_params {
    float inverse_radius;   /* 1/m */
    float inverse_variance; /* k_s: 1/m2, of a full lattice */
    float inverse_weight;   /* 1 over the sum of weights of a full lattice */
    float flat_offset; /* m: distance from a particle in a flat surface to its neighbours' mean */
    float smoothing;   /* smoothing of centres, 0 to 1 */
    float inverse_stretch; /* 1 / k_r */
    float sheet_reach;     /* radius of the wider search over the search radius */
    float pad0;
};
WEIR_SIZE_CHECK(struct anisotropy_params, 32);

#endif
