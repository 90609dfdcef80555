/* softs: cloths and ropes as triangles, for pictures and files. */
#ifndef WEIR_API_DEFORMABLE_MESHES_H
#define WEIR_API_DEFORMABLE_MESHES_H

#include "sim.h"

/* Cloths and ropes of one frame as triangles: of a cloth its own, of a rope a tube. */
typedef struct api_deformable_meshes {
    uint32_t count; /* of cloths and ropes; 0: nothing is known of them */
    /* The first vertex and triangle of each, and behind the last: [count + 1]. */
    uint32_t *first_vertex, *first_triangle;
    vec3 *positions, *normals, *velocities; /* m, unit, m/s; velocities may be NULL */
    uint32_t *indices; /* of a triangle, from its own cloth's first vertex on */
} api_deformable_meshes;

/* Where they are in the slot, or with NULL after the last finished frame, then with velocities.
 * Errors: MEMORY, those of sim_wait. */
weir_result api_deformable_meshes_from_sim(sim_world *world, const sim_snapshot *slot,
                                           api_deformable_meshes *deformables);
weir_result api_deformable_meshes_copy(const weir_log *log, const api_deformable_meshes *from,
                                       api_deformable_meshes *to);
void api_deformable_meshes_free(api_deformable_meshes *deformables);

typedef struct api_deformable_surface {
    const vec3 *positions;   /* [vertex_count] */
    const uint32_t *indices; /* [3 * triangle_count] */
    uint32_t vertex_count, triangle_count;
} api_deformable_surface;
/* Unit normals of its vertices, from the triangles about each; `normals` are 0 on entry. */
void api_deformable_normals(const api_deformable_surface *s, vec3 *normals);

#endif
