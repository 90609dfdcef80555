/* Small test surfaces: marching tetrahedra over a function on a lattice (six tetrahedra per cell
 * along the main diagonal, so that faces match), closed and 2-manifold for any function that is
 * positive on the lattice's faces, with many slivers. Negative values are inside. */
#ifndef WEIR_SURFACE_SUPPORT_H
#define WEIR_SURFACE_SUPPORT_H

#include "mesher.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

typedef float (*surface_field)(const void *user, vec3 point);

typedef struct surface_lattice {
    uint32_t n; /* nodes along each axis */
    vec3 low;
    float cell;
} surface_lattice;

mesher_surface surface_make(const surface_lattice *lattice, surface_field field, const void *user);

/* ---- fields --------------------------------------------------------------------------------- */

float surface_sphere_field(const void *radius, vec3 p);

/* A random value per node, so that every case of a cell occurs; the fraction `user` is inside. */
float surface_noise_field(const void *share, vec3 p);

/* Zhu and Bridson, "Animating sand as a fluid" (2005): |x - mean position| - radius. */
typedef struct surface_cloud {
    const vec3 *points;
    uint32_t count;
    float reach, radius; /* reach of the kernel; radius of a particle */
    uint32_t *head, *next, side;
    vec3 low;
} surface_cloud;

surface_cloud surface_cloud_make(const vec3 *points, uint32_t count, const surface_lattice *lattice,
                                 float reach, float radius);
void surface_cloud_free(surface_cloud *c);
float surface_cloud_field(const void *user, vec3 p);

#endif
