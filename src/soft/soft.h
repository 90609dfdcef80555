/* soft: cloths, ropes and soft bodies, vertices that constraints hold together, as rows. */
#ifndef WEIR_SOFT_H
#define WEIR_SOFT_H

#include "gpu.h"
#include "scene.h"
#include "solid.h"

typedef struct soft_set soft_set;

/* A cloth or a rope, from its shape; in the order of scene_soft_at. */
typedef struct soft_figures {
    double mass_kg;
    uint32_t first_vertex, vertex_count;
    uint32_t surface_count; /* the first of its vertices: those on the surface; of cloths all */
    uint32_t first_triangle, triangle_count; /* of a rope none */
    uint32_t first_facet;                    /* of its triangles, or of the edges of a rope */
    /* The mesh that a soft body wears, where its shape is one. */
    uint32_t skin_vertices, skin_triangles, first_skin_triangle;
    uint32_t first_share;   /* of its vertices: soft_internal.h */
    uint32_t bonds, pinned; /* constraints; vertices that the world, a solid or a body holds */
    uint32_t clusters;      /* of shape matching, in place of bonds */
} soft_figures;

/* Makes the scene's cloths and ropes, and their buffers and kernels. Both must outlive the set.
 * Errors: SCENE (a pin on nothing, a mesh without area, ...), IO (a mesh), MEMORY. */
weir_result soft_set_create(gpu_device *device, const scene_data *scene, const solid_set *solids,
                            soft_set **set);
void soft_set_destroy(gpu_device *device, soft_set **set);
/* Takes over the number of iterations of a scene that differs in live numbers alone. Errors:
 * MEMORY, those of an upload. */
weir_result soft_set_follow(gpu_device *device, soft_set *set, const scene_data *scene);
/* The checks and figures alone, without a device's buffers. `figures` [scene_soft_count]. */
weir_result soft_measure(const weir_log *log, const scene_data *scene, const solid_set *solids,
                         soft_figures *figures);
const soft_figures *soft_set_figures(const soft_set *set);
uint32_t soft_set_facets(const soft_set *set); /* triangles, and edges of ropes, of all */

/* Vertices of all, their state at the start, and where the device keeps it: struct soft_state, and
 * behind those of the vertices what has torn: soft_set_bytes of all. */
struct soft_state;
uint64_t soft_set_bytes(const soft_set *set);
uint32_t soft_set_count(const soft_set *set);
const struct soft_state *soft_set_starts(const soft_set *set);
gpu_buffer *soft_set_states(const soft_set *set);
/* Edges that have torn in such a state; and its triangles that have lost none, three vertices each,
 * counted from its first, or the edges of a rope that are left, two vertices each: returns how
 * many.
 */
uint32_t soft_set_torn(const soft_set *set, const struct soft_state *states, uint32_t soft);
uint32_t soft_set_whole(const soft_set *set, const struct soft_state *states, uint32_t soft,
                        uint32_t *to);
/* kg of a vertex, also where something holds it. */
float soft_set_mass(const soft_set *set, uint32_t vertex);

/* The mesh that a soft body wears: its triangles, three vertices each; where its vertices go when
 * the body's own are at x [vertex_count]; what the body's own have, blended. `to` [skin_vertices].
 * Errors: MEMORY. */
const uint32_t *soft_set_skin(const soft_set *set, uint32_t soft);
weir_result soft_set_dress(const soft_set *set, const weir_log *log, uint32_t soft, const vec3 *x,
                           vec3 *to);
void soft_set_blend(const soft_set *set, uint32_t soft, const vec3 *of, vec3 *to);

/* What fluid meets, as shaders/shared/soft.h has it. */
typedef struct soft_fronts {
    gpu_buffer *states, *moves, *facets, *heads, *nexts, *cells, *sums, *skins;
} soft_fronts;
soft_fronts soft_set_fronts(const soft_set *set);
bool soft_set_drags(const soft_set *set); /* fluid that passes through or flows along, too */

/* The simulation's buffers that the kernels read: shaders/shared/soft.h. */
typedef struct soft_binds {
    gpu_buffer *params, *state, *status, *poses;
    const solid_set *solids;
    gpu_buffer *bodies, *body_iterates, *body_sums; /* NULL in a scene without bodies */
} soft_binds;

/* Each appends rows, returns how many: before the iterations; in each of them, before fluid meets
 * the facets; where fluid has pushed and pushes again; in each sweep, when fluid has pushed; when
 * the substep is complete. Behind a sweep the bodies have to be moved by what it gave them. */
uint32_t soft_begin_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows);
uint32_t soft_file_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows);
uint32_t soft_take_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows);
uint32_t soft_sweep_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows);
uint32_t soft_end_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows);
/* The most that those append together in a substep, with what fluid and bodies need in each
 * sweep. */
uint32_t soft_row_count(const soft_set *set);

#endif
