/* Deformables: cloths, ropes and soft bodies.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_DEFORMABLES_PUBLIC_H
#define WEIR_DEFORMABLES_PUBLIC_H

#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of deformables of a scene. */
WEIR_API uint32_t weir_scene_deformable_count(const weir_scene *scene);

/* State of a cloth, a rope or a soft body at the end of the last finished frame. */
typedef struct weir_deformable {
    const char *name;  /* as in the scene; lives as long as the simulation */
    bool is_rope;      /* vertices form a line of segments; otherwise there are triangles */
    bool is_soft_body; /* the surface lies radius_m outside the triangles */
    float radius_m;    /* of a rope; half the thickness of a cloth */
    float colour[3];   /* linear red, green, blue */
    double mass_kg;
    uint32_t first_vertex, vertex_count; /* range in the arrays of all deformables' vertices */
    uint32_t surface_vertex_count; /* the first vertices of a soft body lie on its surface; for
                                      cloths and ropes equal to vertex_count */
    uint32_t triangle_count;       /* triangles without a torn edge */
    /* [3 * triangle_count] vertex indices relative to first_vertex; valid until the deformables of
     * the simulation are read again. */
    const uint32_t *triangles;
    uint32_t segment_count; /* edges of a rope that have not torn */
    /* [2 * segment_count] vertex indices relative to first_vertex; valid as long as `triangles`. */
    const uint32_t *segments;
    double kinetic_energy_j;      /* J */
    double potential_energy_j;    /* J, against gravity from the origin, as in weir_stats */
    uint32_t non_finite_vertices; /* vertices that became non-finite and are frozen */
    uint32_t torn_edges;          /* edges that have torn */
} weir_deformable;

/* Reads the state of all deformables: cloths in the order of the scene, then ropes, then soft
 * bodies. *count: capacity of `deformables` on entry, number of deformables on return; NULL
 * `deformables` returns only the number. Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_deformables(weir_sim *sim, weir_deformable *deformables,
                                              uint32_t *count);

/* Reads positions, m, and velocities, m/s, of the vertices of all deformables, [3 * *count] each;
 * either may be NULL. *count: capacity in vertices on entry, number of vertices on return; with
 * both arrays NULL the call returns only the number. Waits. Errors: ARGUMENT (the capacity is too
 * small), those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_deformable_vertices(weir_sim *sim, float *positions,
                                                      float *velocities, uint32_t *count);

/* Attaches stored deformables to the points: reads the meshes that an output of a run has written
 * to `as->folder` for the frame with number `frame` in the file names. Renderers of the scene then
 * draw them with the points. `as` has no default and must not be NULL. Errors: ARGUMENT, IO (a file
 * is missing or damaged), MEMORY; the points are then unchanged. */
WEIR_API weir_result weir_points_load_deformables(weir_points *points, const weir_scene *scene,
                                                  const weir_output_def *as, uint32_t frame);

#ifdef __cplusplus
}
#endif
#endif
