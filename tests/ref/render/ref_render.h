/* Reference of the renderer's shaders in double precision: intersections of rays with
 * ellipsoids. */
#ifndef WEIR_TESTS_REF_RENDER_H
#define WEIR_TESTS_REF_RENDER_H

#include "base.h"

#include "shared/glue.h"

typedef struct ref_camera {
    double eye[3], right[3], up[3], forward[3]; /* unit axes */
    double tangent_x, tangent_y, near;
    uint32_t width, height;
} ref_camera;

/* The view as in weir_camera. */
typedef struct ref_view {
    double eye[3], target[3], up[3], fov_y_degrees, near;
    uint32_t width, height;
} ref_view;
ref_camera ref_camera_create(const ref_view *view);

typedef struct ref_ellipsoid {
    double centre[3];
    double inverse[3][3]; /* inverse of A, the matrix that maps the unit sphere to the ellipsoid */
    double scale;         /* factor of its chord in the thickness */
} ref_ellipsoid;

/* Creates an ellipsoid from the symmetric matrix A. */
ref_ellipsoid ref_ellipsoid_create(const double centre[3], const double a[3][3], double scale);

typedef struct ref_hit {
    bool found;
    double near, far; /* depths, cut at the near plane */
    double chord;     /* m, scaled */
    double edge;      /* |discriminant| over |D|^2; small at the silhouette */
} ref_hit;
ref_hit ref_ellipsoid_intersect(const ref_ellipsoid *e, const ref_camera *camera, uint32_t x,
                                uint32_t y);

/* All ellipsoids at one pixel. */
typedef struct ref_pixel {
    double depth;     /* nearest depth; 0 without a hit */
    double thickness; /* sum of the chords */
    double edge;      /* minimum over all ellipsoids that the ray hits or nearly hits */
} ref_pixel;
ref_pixel ref_pixel_trace(const ref_ellipsoid *list, size_t count, const ref_camera *camera,
                          uint32_t x, uint32_t y);

/* Returns the unpolarised reflectance from Snell's law and the two polarisations. */
double ref_fresnel(double cosine, double index);

#endif
