/* softs: cloths and ropes as triangles, for pictures and files. */
#ifndef WEIR_API_SOFTS_H
#define WEIR_API_SOFTS_H

#include "sim.h"

/* Cloths and ropes of one frame as triangles: of a cloth its own, of a rope a tube. */
typedef struct api_softs {
    uint32_t count; /* of cloths and ropes; 0: nothing is known of them */
    /* The first vertex and triangle of each, and behind the last: [count + 1]. */
    uint32_t *first_vertex, *first_triangle;
    vec3 *positions, *normals, *velocities; /* m, unit, m/s; velocities may be NULL */
    uint32_t *indices; /* of a triangle, from its own cloth's first vertex on */
} api_softs;

/* Where they are in the slot, or with NULL after the last finished frame, then with velocities.
 * Errors: MEMORY, those of sim_wait. */
weir_result api_softs_take(sim_world *world, const sim_slot *slot, api_softs *softs);
weir_result api_softs_copy(const weir_log *log, const api_softs *from, api_softs *to);
void api_softs_free(api_softs *softs);

typedef struct api_soft_surface {
    const vec3 *positions;   /* [vertex_count] */
    const uint32_t *indices; /* [3 * triangle_count] */
    uint32_t vertex_count, triangle_count;
} api_soft_surface;
/* Unit normals of its vertices, from the triangles about each; `normals` are 0 on entry. */
void api_soft_normals(const api_soft_surface *s, vec3 *normals);

#endif
