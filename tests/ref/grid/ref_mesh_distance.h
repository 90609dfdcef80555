/* The exact signed distance to a triangle mesh in double precision, for checks of volumes and
 * particles. "Exact" means that the nearest triangle and the winding number take all triangles into
 * account, through a tree without any approximation. */
#ifndef WEIR_REF_MESH_DISTANCE_H
#define WEIR_REF_MESH_DISTANCE_H

#include "base.h"

typedef struct ref_mesh ref_mesh;

typedef struct ref_distance {
    double distance; /* to the nearest triangle; negative where |winding| > 1/2 */
    double winding;  /* generalized winding number: 1 inside a closed mesh, 0 outside */
} ref_distance;

/* Builds the tree from `indices`, three per triangle, and copies all inputs. Returns NULL when
 * memory is short. */
ref_mesh *ref_mesh_create(const vec3 *vertices, uint32_t vertex_count, const uint32_t *indices,
                          uint32_t triangle_count);
void ref_mesh_destroy(ref_mesh **mesh);

/* May be called from several threads at once. Across a hole the sign changes although the distance
 * does not reach zero; a `winding` near 1/2 marks such points. */
ref_distance ref_mesh_distance(const ref_mesh *mesh, vec3 point);

/* Visits all triangles one by one; ref_mesh_distance must return the same. */
ref_distance ref_mesh_distance_brute_force(const ref_mesh *mesh, vec3 point);

#endif
