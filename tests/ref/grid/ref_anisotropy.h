/* Reference of shaders/grid/fit_ellipsoids.comp in double precision. */
#ifndef WEIR_TESTS_REF_ANISOTROPY_H
#define WEIR_TESTS_REF_ANISOTROPY_H

#include "base.h"

#include "shared/anisotropy.h"

/* Computes the eigenvalues of a symmetric matrix in ascending order from its characteristic
 * polynomial (Smith 1961), independently of the shader's rotations. */
void ref_eigenvalues(const double a[3][3], double values[3]);

typedef struct ref_anisotropy {
    double spacing, radius, smoothing, stretch;
    double period[3]; /* 0 on axes that are not periodic */
    /* radius of the search for sheets, in radii; 1 or less turns the search off */
    double reach;
} ref_anisotropy;

typedef struct ref_shape {
    double centre[3], share;
    double matrix[3][3];
    double neighbours;
} ref_shape;

ref_shape ref_anisotropy_fit(const ref_anisotropy *fit, const vec4 *points, uint32_t count,
                             uint32_t i);

#endif
