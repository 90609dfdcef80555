/* deformable: owns the cloths, ropes and soft bodies of a scene and appends the passes that move
 * them. */
#ifndef WEIR_DEFORMABLE_MODULE_H
#define WEIR_DEFORMABLE_MODULE_H

#include "gpu.h"
#include "scene.h"
#include "solid.h"

typedef struct deformable_set deformable_set;

/* Describes a deformable, computed from its shape; in the order of scene_deformable_at. */
typedef struct deformable_info {
    double mass_kg;
    uint32_t first_vertex, vertex_count;
    uint32_t surface_count; /* the first of its vertices: those on the surface; of cloths all */
    uint32_t first_triangle, triangle_count; /* of a rope none */
    uint32_t first_facet;                    /* of its triangles, or of the edges of a rope */
    /* The mesh that a soft body wears, where its shape is one. */
    uint32_t skin_vertices, skin_triangles, first_skin_triangle;
    uint32_t first_skin_weight; /* of its vertices: deformable_internal.h */
    uint32_t constraints,
        pinned;        /* constraints; vertices that the world, a solid or a body holds */
    uint32_t clusters; /* of shape matching, instead of constraints */
} deformable_info;

/* Creates the scene's deformables, their buffers and pipelines. `device` and `scene` must outlive
 * the set. Errors: SCENE (a pin on nothing, a mesh without area, ...), IO (a mesh), MEMORY. */
weir_result deformable_set_create(gpu_device *device, const scene_data *scene,
                                  const solid_set *solids, deformable_set **set);
void deformable_set_destroy(gpu_device *device, deformable_set **set);
/* Takes over the number of iterations of a scene that differs in live numbers alone. Errors:
 * MEMORY, those of an upload. */
weir_result deformable_set_update_iterations(gpu_device *device, deformable_set *set,
                                             const scene_data *scene);
/* Checks and measures the deformables without creating device buffers. `figures`
 * [scene_deformable_count]. */
weir_result deformable_compute_info(const weir_log *log, const scene_data *scene,
                                    const solid_set *solids, deformable_info *figures);
const deformable_info *deformable_set_info(const deformable_set *set);
uint32_t
deformable_set_facet_count(const deformable_set *set); /* triangles, and edges of ropes, of all */

/* Vertices of all, their state at the start, and where the device keeps it: struct
 * deformable_state, and behind those of the vertices what has torn: deformable_set_bytes of all. */
struct deformable_state;
uint64_t deformable_set_bytes(const deformable_set *set);
uint32_t deformable_set_vertex_count(const deformable_set *set);
const struct deformable_state *deformable_set_initial_states(const deformable_set *set);
gpu_buffer *deformable_set_states(const deformable_set *set);
/* Edges that have torn in such a state; and its triangles that have lost none, three vertices each,
 * counted from its first, or the edges of a rope that are left, two vertices each: returns how
 * many.
 */
uint32_t deformable_set_torn_edges(const deformable_set *set, const struct deformable_state *states,
                                   uint32_t deformable);
uint32_t deformable_set_intact_elements(const deformable_set *set,
                                        const struct deformable_state *states, uint32_t deformable,
                                        uint32_t *to);
/* Returns the mass of a vertex, kg, even if it is pinned. */
float deformable_set_mass(const deformable_set *set, uint32_t vertex);

/* The mesh that a soft body wears: its triangles, three vertices each; where its vertices go when
 * the body's own are at x [vertex_count]; what the body's own have, blended. `to` [skin_vertices].
 * Errors: MEMORY. */
const uint32_t *deformable_set_skin_triangles(const deformable_set *set, uint32_t deformable);
weir_result deformable_set_skin_positions(const deformable_set *set, const weir_log *log,
                                          uint32_t deformable, const vec3 *x, vec3 *to);
void deformable_set_skin_vectors(const deformable_set *set, uint32_t deformable, const vec3 *of,
                                 vec3 *to);

/* What fluid meets, as shaders/shared/deformable.h has it. */
typedef struct deformable_facet_buffers {
    gpu_buffer *states, *displacements, *facets, *facet_bin_heads, *facet_bin_links, *cells,
        *impulse_sums, *drag_coefficients;
} deformable_facet_buffers;
deformable_facet_buffers deformable_set_facet_buffers(const deformable_set *set);
bool deformable_set_has_drag(
    const deformable_set *set); /* fluid that passes through or flows along, too */

/* The simulation's buffers that the shaders bind: shaders/shared/deformable.h. */
typedef struct deformable_bindings {
    gpu_buffer *params, *state, *status, *poses;
    const solid_set *solids;
    gpu_buffer *bodies, *body_iterated_states,
        *body_impulse_sums; /* NULL in a scene without bodies */
} deformable_bindings;

/* Each appends rows, returns how many: before the iterations; in each of them, before fluid meets
 * the facets; where fluid has pushed and pushes again; in each sweep, when fluid has pushed; when
 * the substep is complete. Behind a sweep the bodies have to be moved by what it gave them. */
uint32_t deformable_begin_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes);
uint32_t deformable_bin_passes(const deformable_set *set, const deformable_bindings *binds,
                               gpu_pass *passes);
uint32_t deformable_fluid_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes);
uint32_t deformable_solve_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes);
uint32_t deformable_end_passes(const deformable_set *set, const deformable_bindings *binds,
                               gpu_pass *passes);
/* Returns the maximum number of passes that these functions append in a substep, with those that
 * fluid and bodies need in each sweep. */
uint32_t deformable_pass_count(const deformable_set *set);

#endif
