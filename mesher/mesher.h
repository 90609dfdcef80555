/* mesher: particles to triangles on the GPU, and what is done to the triangles on the host. */
#ifndef WEIR_MESHER_H
#define WEIR_MESHER_H

#include "grid.h"

/* ---- surfaces ------------------------------------------------------------------------------- */

/* A scalar or vector per vertex that came from the particles. */
typedef struct mesher_vertex_channel {
    char name[32];       /* "density", "fluid" */
    uint32_t components; /* 1 to 3 */
    float *values;       /* [vertex_count * components] */
} mesher_vertex_channel;

#define MESHER_CHANNELS 8
/* The scalar channel with the number of near particles; smoothing takes its weights from it. */
#define MESHER_NEIGHBOUR_CHANNEL "neighbours"

/* A surface on the host; arrays by base_alloc, released by mesher_surface_free. */
typedef struct mesher_surface {
    uint32_t vertex_count, triangle_count;
    vec3 *position;  /* [vertex_count], m */
    vec3 *normal;    /* [vertex_count], unit, outwards; NULL: none */
    vec3 *velocity;  /* [vertex_count], m/s; NULL: none */
    uint32_t *index; /* [3 * triangle_count], counter-clockwise from outside */
    uint32_t channel_count;
    mesher_vertex_channel channel[MESHER_CHANNELS];
    float cell_m; /* edge of the cells of the lattice that made it; 0: not known */
} mesher_surface;

/* Releases the arrays and zeroes the surface; NULL and an empty surface are fine. */
void mesher_surface_free(mesher_surface *surface);

/* Particles that left the surface, in the caller's order. */
typedef struct mesher_spray {
    uint32_t count;
    vec3 *position; /* [count], m */
    vec3 *velocity; /* [count], m/s; NULL: none */
    float radius_m;
} mesher_spray;

void mesher_spray_free(mesher_spray *spray);

/* ---- particles to triangles ----------------------------------------------------------------- */

typedef struct mesher mesher;

/* The def without its mark. Errors: MEMORY; ARGUMENT with the field that is out of range. */
weir_result mesher_create(gpu_device *device, const weir_mesher_def *def, mesher **out);
void mesher_destroy(mesher **m);
/* Fills *surface and *spray (may be NULL), which are zeroed on failure. */
weir_result mesher_run(mesher *m, const particle_view *points, mesher_surface *surface,
                       mesher_spray *spray);

/* A surface that stays on the device. Its buffers keep their contents until the mesher has begun
 * MESHER_DEVICE_SURFACES later ones, and are the mesher's. */
#define MESHER_DEVICE_SURFACES 3u
#define MESHER_DRAW_ARGUMENT_WORDS 5u
typedef struct mesher_device_surface {
    uint64_t generation; /* 1 for the first that the mesher made; 0: none, or not whole */
    gpu_buffer *position, *normal, *index; /* as in mesher_surface; more room than elements */
    gpu_buffer *arguments; /* uint[MESHER_DRAW_ARGUMENT_WORDS]: indices, 1, 0, 0, 0 */
    bool normals;          /* `normal` holds them */
    uint32_t vertex_count, triangle_count;
    float cell_m;
} mesher_device_surface;

/* Submitted before the first phase, and behind the last; NULL: nothing is. */
typedef struct mesher_submit_hooks {
    const struct weir_vulkan_submit *before, *after;
} mesher_submit_hooks;

/* Waits, but not for the last phase where that is submitted on its own. Errors: UNSUPPORTED for
 * normals of faces, and for frames that mesher_run would mesh in several parts; those of
 * mesher_run. */
weir_result mesher_run_on_device(mesher *m, const particle_view *points,
                                 const mesher_submit_hooks *order,
                                 const mesher_device_surface **out);
/* Errors: ARGUMENT when the mesher no longer holds it, or never did. */
weir_result mesher_device_surface_find(const mesher *m, uint64_t generation,
                                       const mesher_device_surface **out);
/* Edge of the lattice's cells for these points, m. */
float mesher_voxel_size(const mesher *m, const particle_view *points);
weir_result mesher_pass_times(mesher *m, weir_pass_time *times, uint32_t *count);
/* The settings behind a preset's name; false when none has it. */
bool mesher_find_preset(const char *name, weir_mesher_def *def);
/* Most blocks whose field is held at a time, so that tests can have small slabs; 0: by memory. */
void mesher_set_max_blocks(mesher *m, uint32_t blocks);

/* ---- quality -------------------------------------------------------------------------------- */

/* Measures positions and index alone; any triangles will do. The same figures on any number of
 * threads. Errors: MEMORY. */
weir_result mesher_surface_check(const weir_log *log, const mesher_surface *surface,
                                 weir_mesh_info *info);

/* ---- after marching cubes ------------------------------------------------------------------- */

/* These work in place, on any number of threads with the same result. Vertices on a rim, on a
 * non-manifold edge or between several fans are left alone; a closed 2-manifold stays one. Errors:
 * MEMORY; the surface is then still valid. */

typedef struct mesher_clean_info {
    uint32_t collapsed, flipped; /* edges */
    uint32_t removed;            /* triangles of parts too small to have a shape */
    uint32_t degenerate;         /* triangles left without area */
} mesher_clean_info;

/* Lifts the shapes of marching-cubes triangles: vertices that lie nearest to one lattice node merge
 * (Moore and Warren, "Compact isocontours from sampled data", Graphics Gems III), then slivers go
 * by collapses and flips. cell_m: edge of the lattice's cells, one node at the origin. */
weir_result mesher_surface_clean(const weir_log *log, mesher_surface *surface, float cell_m,
                                 mesher_clean_info *info);
/* The slivers alone, after vertices were moved: triangles with an angle below `degrees`, at
 * most 30. Adds to `info`. */
weir_result mesher_surface_remove_slivers(const weir_log *log, mesher_surface *surface,
                                          float degrees, mesher_clean_info *info);

typedef enum mesher_smooth_kind {
    MESHER_SMOOTH_TAUBIN,  /* shrinks nothing of more than a few cells */
    MESHER_SMOOTH_LAPLACE, /* flattens more */
} mesher_smooth_kind;

typedef struct mesher_smooth_def {
    mesher_smooth_kind kind;
    uint32_t iterations;
    float strength;     /* of the offset to the middle of the neighbours, the share moved, 0 to 1 */
    const char *weight; /* channel with the particles' neighbour count; NULL: no weights */
    float weight_full;  /* neighbours from which on a vertex moves in full; 13 */
} mesher_smooth_def;

/* Moves the vertices, each by its weight: a drop of few particles keeps its shape. Closed parts
 * keep their volumes. Taubin, "A signal processing approach to fair surface design" (1995);
 * Loeschner et al., "Weighted Laplacian smoothing for surface reconstruction of particle-based
 * fluids" (2023). Field normals become stale. Errors also: ARGUMENT for a channel that is not there
 * or not a scalar. */
weir_result mesher_surface_smooth(const weir_log *log, mesher_surface *surface,
                                  const mesher_smooth_def *def);

/* Normals from the faces, weighted by their angle at the vertex, then averaged `iterations` times
 * with those of the neighbours. */
weir_result mesher_surface_normals(const weir_log *log, mesher_surface *surface,
                                   uint32_t iterations);

typedef struct mesher_filter_def {
    uint32_t min_triangles; /* parts with fewer go */
    double min_volume;      /* closed parts below it go, m3; 0: none */
    bool remove_voids;      /* closed parts wound inwards that lie inside another */
} mesher_filter_def;

typedef struct mesher_filter_info {
    uint32_t parts, voids; /* before */
    uint32_t small_parts;  /* removed, with the voids inside them */
    uint32_t filled_voids; /* removed */
} mesher_filter_info;

weir_result mesher_surface_filter(const weir_log *log, mesher_surface *surface,
                                  const mesher_filter_def *def, mesher_filter_info *info);

typedef struct mesher_decimate_def {
    uint32_t triangles; /* wanted */
    float error_m;      /* farthest that the surface may move; 0: any */
} mesher_decimate_def;

typedef struct mesher_decimate_info {
    uint32_t before, after; /* triangles */
    uint32_t cuts;          /* vertices doubled where the surface would have touched itself */
    float error_m;          /* moved by about */
} mesher_decimate_info;

/* By quadric error (Garland and Heckbert 1997, meshoptimizer's meshopt_simplify); vertices stay
 * where they are, with all that they carry. What touches itself afterwards is cut, so that a closed
 * 2-manifold stays one. Errors also: UNSUPPORTED in a build without meshoptimizer. */
weir_result mesher_surface_decimate(const weir_log *log, mesher_surface *surface,
                                    const mesher_decimate_def *def, mesher_decimate_info *info);

/* Distance to what the surface must not enter, m, negative inside; called by several threads. */
typedef struct mesher_solid {
    float (*distance)(void *user, vec3 point);
    void *user;
} mesher_solid;

typedef struct mesher_snap_def {
    float band_m;   /* vertices nearer than this move, those within half of it flush; > 0 */
    float offset_m; /* distance at which they come to lie: 0 touches, below 0 overlaps */
} mesher_snap_def;

/* Moves vertices that are inside the solid, or nearly touch it, onto it along the distance's
 * gradient; how many. Triangles may end up without area: mend them. */
uint32_t mesher_surface_snap(mesher_surface *surface, const mesher_solid *solid,
                             const mesher_snap_def *def);

/* Moves vertices outside the box onto it; how many. Mend the surface afterwards. */
uint32_t mesher_surface_clamp(mesher_surface *surface, vec3 min, vec3 max);

/* All steps of the def, in its order; def->device, scene and time_s are the caller's to turn into
 * `solid`, which may be NULL, and def->cell_m 0 takes the surface's own. Errors also:
 * ARGUMENT without either. */
weir_result mesher_surface_refine(const weir_log *log, mesher_surface *surface,
                                  const weir_mesh_refine_def *def, const mesher_solid *solid,
                                  weir_mesh_refine_info *info);

#endif
