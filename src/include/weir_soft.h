/* The side door to cloths, ropes and soft bodies: where their vertices are and what they are made
 * of. The rules of weir.h hold here too. */
#ifndef WEIR_SOFT_DOOR_H
#define WEIR_SOFT_DOOR_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cloth, a rope or a soft body at the end of the last finished frame. */
typedef struct weir_soft {
    const char *name; /* of the scene's cloth or rope; lives as long as the simulation */
    bool rope;        /* its vertices follow each other along a line; else it has triangles */
    bool body;        /* a soft body: its surface lies radius_m outside its triangles */
    float radius_m;   /* of a rope; of a cloth half its thickness */
    float colour[3];  /* linear red, green, blue */
    double mass_kg;
    uint32_t first_vertex, vertex_count; /* its part of the vertices of all */
    uint32_t surface_count;    /* of a soft body, the vertices on its surface, which are its first;
                                  of others all */
    uint32_t triangle_count;   /* of those that have lost no edge */
    const uint32_t *triangles; /* [3 * triangle_count] vertices, 0 is its first; as they are until
                                  cloths and ropes of the simulation are next read */
    uint32_t segment_count;    /* of a rope: its edges that have not torn */
    const uint32_t *segments;  /* [2 * segment_count] vertices, likewise */
    double kinetic_energy;     /* J */
    double potential_energy;   /* J, like that of weir_stats */
    uint32_t lost; /* vertices that have left the finite numbers, and stand still since */
    uint32_t torn; /* edges that have torn */
} weir_soft;

/* Cloths in the order of the scene, then ropes, then soft bodies. *count: room in `softs` on entry,
 * how many there are on return; softs NULL asks for the count alone. Waits. Errors: those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_softs(weir_sim *sim, weir_soft *softs, uint32_t *count);

/* The vertices of all: positions in m, velocities in m/s, [3 * count]; either may be NULL. *count:
 * room on entry, how many there are on return; both NULL asks for the count alone. Waits. Errors:
 * ARGUMENT (too little room), those of weir_sim_wait. */
WEIR_API weir_result weir_sim_soft_vertices(weir_sim *sim, float *positions, float *velocities,
                                            uint32_t *count);

/* Reads the meshes of the scene's cloths, ropes and soft bodies that an output of a run has written
 * into `as->folder`, of the frame with this number in its name. Renderers of the scene draw them
 * with the points from then on. Errors: ARGUMENT, IO (a file is not there, or damaged), MEMORY; the
 * points are then as they were. */
WEIR_API weir_result weir_points_load_softs(weir_points *points, const weir_scene *scene,
                                            const weir_output_def *as, uint32_t frame);

/* Of cloths, ropes and soft bodies. */
WEIR_API uint32_t weir_scene_soft_count(const weir_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
