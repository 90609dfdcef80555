/* deformable: owns the cloths, ropes and soft bodies of a scene and appends the passes that move
 * them. */
#ifndef WEIR_DEFORMABLE_MODULE_H
#define WEIR_DEFORMABLE_MODULE_H

#include "gpu.h"
#include "scene.h"
#include "solid.h"

#include "shared/deformable.h"

typedef struct deformable_set deformable_set;

/* Properties of a deformable, computed from its shape, in the order of scene_deformable_at. */
typedef struct deformable_info {
    double mass_kg;
    uint32_t first_vertex, vertex_count;
    uint32_t surface_count; /* vertices on the surface, which come first; of a cloth all */
    uint32_t first_triangle, triangle_count; /* 0 triangles for a rope */
    uint32_t first_facet;                    /* of its triangles, or of a rope's edges */
    /* Mesh that is skinned to a soft body, if its shape is a mesh; otherwise 0. */
    uint32_t skin_vertices, skin_triangles, first_skin_triangle;
    /* Index into skin_weight_offsets of its first mesh vertex: deformable_internal.h. */
    uint32_t first_skin_weight;
    /* Number of constraints; number of vertices pinned to the world, a solid or a body. */
    uint32_t constraints, pinned;
    /* Shape-matching clusters, which replace constraints. */
    uint32_t clusters;
} deformable_info;

/* Creates the scene's deformables, their buffers and pipelines. `device` and `scene` must outlive
 * the set. Errors: SCENE (a pin on nothing, a mesh without area, ...), IO (a mesh), MEMORY. */
weir_result deformable_set_create(gpu_device *device, const scene_data *scene,
                                  const solid_set *solids, deformable_set **set);
void deformable_set_destroy(gpu_device *device, deformable_set **set);
/* Applies the number of iterations of a scene that differs in live values alone. Errors: MEMORY,
 * those of an upload. */
weir_result deformable_set_update_iterations(gpu_device *device, deformable_set *set,
                                             const scene_data *scene);
/* Checks and measures the deformables without creating device buffers. `info`
 * [scene_deformable_count]. */
weir_result deformable_compute_info(const weir_log *log, const scene_data *scene,
                                    const solid_set *solids, deformable_info *info);
const deformable_info *deformable_set_info(const deformable_set *set);
/* Returns the number of facets of all deformables: triangles, and edges of ropes. */
uint32_t deformable_set_facet_count(const deformable_set *set);

/* Number of vertices of all deformables, and their initial states, followed by the tear flags.
 * deformable_set_bytes is the size of both. */
uint64_t deformable_set_bytes(const deformable_set *set);
uint32_t deformable_set_vertex_count(const deformable_set *set);
const struct deformable_state *deformable_set_initial_states(const deformable_set *set);
/* Evaluate such states. deformable_set_torn_edges returns the number of torn edges.
 * deformable_set_intact_elements writes the triangles that have lost no edge, three vertices each,
 * or the edges of a rope that are left, two vertices each, numbered from the deformable's first
 * vertex; it returns their number. */
uint32_t deformable_set_torn_edges(const deformable_set *set, const struct deformable_state *states,
                                   uint32_t deformable);
uint32_t deformable_set_intact_elements(const deformable_set *set,
                                        const struct deformable_state *states, uint32_t deformable,
                                        uint32_t *to);
/* Returns the mass of a vertex, kg, even if it is pinned. */
float deformable_set_mass(const deformable_set *set, uint32_t vertex);

/* The mesh that is skinned to a soft body. deformable_set_skin_triangles returns its triangles,
 * three vertices each, or NULL. deformable_set_skin_positions computes the mesh vertices for the
 * body's vertices at x [vertex_count]. deformable_set_skin_vectors interpolates a quantity of the
 * body's vertices. `to` [skin_vertices]. Errors: MEMORY. */
const uint32_t *deformable_set_skin_triangles(const deformable_set *set, uint32_t deformable);
weir_result deformable_set_skin_positions(const deformable_set *set, const weir_log *log,
                                          uint32_t deformable, const vec3 *x, vec3 *to);
void deformable_set_skin_vectors(const deformable_set *set, uint32_t deformable, const vec3 *of,
                                 vec3 *to);

/* Device buffers by name and by binding number: shaders/shared/deformable_buffers.def. Those of
 * other modules are NULL. */
typedef union deformable_buffers {
    struct {
#define BUFFER(name, type, count, contents) gpu_buffer *name;
#define EXTERNAL(name, type, amount, owner) gpu_buffer *name;
#include "shared/deformable_buffers.def"
    };
    gpu_buffer *all[DEFORMABLE_BINDINGS];
} deformable_buffers;
const deformable_buffers *deformable_set_buffers(const deformable_set *set);
/* Returns whether fluid that passes through facets or flows along them is subject to drag. */
bool deformable_set_has_drag(const deformable_set *set);

/* The simulation's buffers that the shaders bind: shaders/shared/deformable.h. */
typedef struct deformable_bindings {
    gpu_buffer *params, *state, *status, *poses;
    const solid_set *solids;
    /* NULL in a scene without bodies. */
    gpu_buffer *bodies, *body_iterated_states, *body_impulse_sums;
} deformable_bindings;

/* Each of the following functions appends passes and returns their number. deformable_begin_passes:
 * run before the iterations. */
uint32_t deformable_begin_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes);
/* Sorts facets and vertices into their bins. Run in each iteration of the fluid, before fluid
 * collides with the facets. */
uint32_t deformable_bin_passes(const deformable_set *set, const deformable_bindings *binds,
                               gpu_pass *passes);
/* Applies the fluid's impulses to the vertices. Run between two passes in which fluid acts on
 * them. */
uint32_t deformable_fluid_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes);
/* Applies the fluid's impulses, then solves constraints and contacts once. Run in each iteration of
 * the constraints, after the fluid has acted. Afterwards, the bodies must be moved by the impulses
 * that these passes gave them. */
uint32_t deformable_solve_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes);
/* Tears edges and finalizes the vertices' states. Run when the substep is complete. */
uint32_t deformable_end_passes(const deformable_set *set, const deformable_bindings *binds,
                               gpu_pass *passes);
/* Returns the maximum number of passes that these functions append in a substep, including those
 * that fluid and bodies need in each iteration of the constraints. */
uint32_t deformable_pass_count(const deformable_set *set);

#endif
