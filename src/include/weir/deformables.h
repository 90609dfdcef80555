/* Deformables: cloths, ropes and soft bodies.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_DEFORMABLES_PUBLIC_H
#define WEIR_DEFORMABLES_PUBLIC_H

#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of cloths, ropes and soft bodies. */
WEIR_API uint32_t weir_scene_deformable_count(const weir_scene *scene);

/* A cloth, a rope or a soft body at the end of the last finished frame. */
typedef struct weir_deformable {
    const char *name;  /* of the scene's cloth or rope; lives as long as the simulation */
    bool is_rope;      /* its vertices follow each other along a line; else it has triangles */
    bool is_soft_body; /* a soft body: its surface lies radius_m outside its triangles */
    float radius_m;    /* of a rope; of a cloth half its thickness */
    float colour[3];   /* linear red, green, blue */
    double mass_kg;
    uint32_t first_vertex, vertex_count; /* its part of the vertices of all */
    uint32_t surface_vertex_count; /* of a soft body, the vertices on its surface, which are its
                               first; of others all */
    uint32_t triangle_count;       /* of those that have lost no edge */
    const uint32_t *triangles; /* [3 * triangle_count] vertices, 0 is its first; as they are until
                                  cloths and ropes of the simulation are next read */
    uint32_t segment_count;    /* of a rope: its edges that have not torn */
    const uint32_t *segments;  /* [2 * segment_count] vertices, likewise */
    double kinetic_energy_j;   /* J */
    double potential_energy_j; /* J, like that of weir_stats */
    uint32_t
        non_finite_vertices; /* vertices that have left the finite numbers, and stand still since */
    uint32_t torn_edges;     /* edges that have torn */
} weir_deformable;

/* Cloths in the order of the scene, then ropes, then soft bodies. *count: room in `softs` on entry,
 * how many there are on return; softs NULL asks for the count alone. Waits. Errors: those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_get_deformables(weir_sim *sim, weir_deformable *softs,
                                              uint32_t *count);

/* The vertices of all: positions in m, velocities in m/s, [3 * count]; either may be NULL. *count:
 * room on entry, how many there are on return; both NULL asks for the count alone. Waits. Errors:
 * ARGUMENT (too little room), those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_deformable_vertices(weir_sim *sim, float *positions,
                                                      float *velocities, uint32_t *count);

/* Reads the meshes of the scene's cloths, ropes and soft bodies that an output of a run has written
 * into `as->folder`, of the frame with this number in its name. Renderers of the scene draw them
 * with the points from then on. Errors: ARGUMENT, IO (a file is not there, or damaged), MEMORY; the
 * points are then as they were. */
WEIR_API weir_result weir_points_load_deformables(weir_points *points, const weir_scene *scene,
                                                  const weir_output_def *as, uint32_t frame);

#ifdef __cplusplus
}
#endif
#endif
