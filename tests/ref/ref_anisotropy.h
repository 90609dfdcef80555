/* What shaders/grid/fit_ellipsoids.comp must give, in double precision. */
#ifndef WEIR_TESTS_REF_ANISOTROPY_H
#define WEIR_TESTS_REF_ANISOTROPY_H

#include "base.h"

#include "shared/anisotropy.h"

/* Eigenvalues, ascending, of a symmetric matrix by its characteristic polynomial (Smith 1961): not
 * the rotations of the shader. */
void ref_eigenvalues(const double a[3][3], double values[3]);

typedef struct ref_anisotropy {
    double spacing, radius, smoothing, stretch;
    double period[3]; /* 0: none */
    double reach;     /* radius of the search for sheets, in radii; 1 or less: none */
} ref_anisotropy;

typedef struct ref_shape {
    double centre[3], share;
    double matrix[3][3];
    double neighbours;
} ref_shape;

ref_shape ref_anisotropy_fit(const ref_anisotropy *fit, const vec4 *points, uint32_t count,
                             uint32_t i);

#endif
