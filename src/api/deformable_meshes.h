/* api: triangle meshes of deformables, for pictures and files. */
#ifndef WEIR_API_DEFORMABLE_MESHES_H
#define WEIR_API_DEFORMABLE_MESHES_H

#include "api_access.h"
#include "sim.h"

/* Computes the meshes for the snapshot, or, with NULL, those after the last finished frame with
 * velocities. Errors: MEMORY, those of sim_wait. */
weir_result api_deformable_meshes_from_sim(sim_world *world, const sim_snapshot *slot,
                                           api_deformable_meshes *deformables);
weir_result api_deformable_meshes_copy(const weir_log *log, const api_deformable_meshes *from,
                                       api_deformable_meshes *to);

typedef struct api_deformable_surface {
    const vec3 *positions;   /* [vertex_count] */
    const uint32_t *indices; /* [3 * triangle_count] */
    uint32_t vertex_count, triangle_count;
} api_deformable_surface;
/* Computes unit vertex normals from the triangles of each vertex; `normals` must be 0 on entry. */
void api_deformable_normals(const api_deformable_surface *s, vec3 *normals);

#endif
