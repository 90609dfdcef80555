/* mesher: reconstructs surfaces from particles on the GPU, and refines triangle meshes on the
 * host. */
#ifndef WEIR_MESHER_H
#define WEIR_MESHER_H

#include "grid.h"

/* ---- surfaces ------------------------------------------------------------------------------- */

/* Scalar or vector attribute of the vertices, interpolated from the particles. */
typedef struct mesher_vertex_channel {
    char name[36];       /* "density", "fluid", "neighbours" or a particle attribute */
    uint32_t components; /* 1 to 4 */
    float *values;       /* [vertex_count * components] */
} mesher_vertex_channel;

#define MESHER_CHANNELS 12
/* Name of the scalar channel with the number of nearby particles; the weights of smoothing come
 * from it. */
#define MESHER_NEIGHBOUR_CHANNEL "neighbours"

/* Surface on the host. Arrays are from base_alloc; mesher_surface_free releases them. */
typedef struct mesher_surface {
    uint32_t vertex_count, triangle_count;
    vec3 *position;  /* [vertex_count], m */
    vec3 *normal;    /* [vertex_count], unit, outwards; NULL: none */
    vec3 *velocity;  /* [vertex_count], m/s; NULL: none */
    uint32_t *index; /* [3 * triangle_count], counter-clockwise from outside */
    uint32_t channel_count;
    mesher_vertex_channel channel[MESHER_CHANNELS];
    float cell_m;             /* m, edge of a voxel of the lattice that made it; 0: unknown */
    float spacing_m, reach_m; /* m, of the particles, and the field's search radius; 0: unknown */
} mesher_surface;

/* Releases the arrays and zeroes the surface. NULL and an empty surface are allowed. */
void mesher_surface_free(mesher_surface *surface);

/* Particles that are not part of the surface, in the caller's order. */
typedef struct mesher_spray {
    uint32_t count;
    vec3 *position; /* [count], m */
    vec3 *velocity; /* [count], m/s; NULL: none */
    float radius_m;
} mesher_spray;

void mesher_spray_free(mesher_spray *spray);

/* ---- particles to triangles ----------------------------------------------------------------- */

typedef struct mesher mesher;

/* Creates a mesher; the def's cookie is not checked. Errors: MEMORY; ARGUMENT, naming the field
 * that is out of range. */
weir_result mesher_create(gpu_device *device, const weir_mesher_def *def, mesher **out);
void mesher_destroy(mesher **m);
/* Computes the surface of the particles and the spray. `spray` may be NULL. Both are zeroed on
 * failure. */
weir_result mesher_run(mesher *m, const particle_view *points, mesher_surface *surface,
                       mesher_spray *spray);

/* A surface that stays on the device. The mesher owns its buffers, which keep their contents
 * until the mesher has begun MESHER_DEVICE_SURFACES later surfaces. */
#define MESHER_DEVICE_SURFACES 3u
#define MESHER_DRAW_ARGUMENT_WORDS 5u
typedef struct mesher_device_surface {
    uint64_t generation; /* 1 for the mesher's first surface; 0: none, or incomplete */
    gpu_buffer *position, *normal, *index; /* as in mesher_surface; may be larger than needed */
    gpu_buffer *arguments; /* uint[MESHER_DRAW_ARGUMENT_WORDS]: indices, 1, 0, 0, 0 */
    bool normals;          /* `normal` holds the normals */
    uint32_t vertex_count, triangle_count;
    float cell_m;
} mesher_device_surface;

/* Empty submissions before the first phase and after the last; NULL: none. */
typedef struct mesher_submit_hooks {
    const struct weir_vulkan_submit *before, *after;
} mesher_submit_hooks;

/* Computes a surface that stays on the device. Waits, but not for the last phase if it is
 * submitted separately. Errors: UNSUPPORTED for face normals, and for frames that mesher_run
 * would mesh in several batches; those of mesher_run. */
weir_result mesher_run_on_device(mesher *m, const particle_view *points,
                                 const mesher_submit_hooks *hooks,
                                 const mesher_device_surface **out);
/* Finds a surface by generation. Errors: ARGUMENT if the mesher no longer holds it, or never
 * did. */
weir_result mesher_device_surface_find(const mesher *m, uint64_t generation,
                                       const mesher_device_surface **out);
/* Returns the edge of a voxel for these points, m. */
float mesher_voxel_size(const mesher *m, const particle_view *points);
weir_result mesher_pass_times(mesher *m, weir_pass_time *times, uint32_t *count);
/* Fills in the settings of a preset. Returns false if there is no preset of that name. */
bool mesher_find_preset(const char *name, weir_mesher_def *def);
/* Sets the maximum number of blocks whose field is stored at a time, so that tests can have
 * small batches; 0: as memory allows. */
void mesher_set_max_blocks(mesher *m, uint32_t blocks);

/* ---- quality -------------------------------------------------------------------------------- */

/* Measures the quality of any triangles, from positions and index only. The result does not
 * depend on the number of threads. Errors: MEMORY. */
weir_result mesher_surface_check(const weir_log *log, const mesher_surface *surface,
                                 weir_mesh_info *info);

/* ---- refinement after marching cubes -------------------------------------------------------- */

/* These functions work in place; the result does not depend on the number of threads. Vertices
 * on a boundary, on a non-manifold edge or in several fans are not changed; a closed 2-manifold
 * stays one. Errors: MEMORY; the surface is then still valid. */

typedef struct mesher_clean_info {
    uint32_t collapsed, flipped; /* edges */
    uint32_t removed;            /* triangles of components too small to have a shape */
    uint32_t degenerate;         /* triangles that still have no area */
} mesher_clean_info;

/* Improves the shapes of marching-cubes triangles: merges vertices that are nearest to the same
 * lattice node (Moore and Warren, "Compact isocontours from sampled data", Graphics Gems III),
 * then removes slivers by edge collapses and flips. cell_m: edge of a voxel; the lattice has a
 * node at the origin. */
weir_result mesher_surface_clean(const weir_log *log, mesher_surface *surface, float cell_m,
                                 mesher_clean_info *info);
/* Removes slivers after vertices have moved: triangles with an angle below `degrees`, at most
 * 30. Adds to `info`. */
weir_result mesher_surface_remove_slivers(const weir_log *log, mesher_surface *surface,
                                          float degrees, mesher_clean_info *info);

typedef enum mesher_smooth_kind {
    MESHER_SMOOTH_TAUBIN,  /* does not shrink features larger than a few voxels */
    MESHER_SMOOTH_LAPLACE, /* flattens more */
} mesher_smooth_kind;

typedef struct mesher_smooth_def {
    mesher_smooth_kind kind;
    uint32_t iterations;
    float strength;     /* fraction of the offset to the neighbours' mean, 0 to 1 */
    const char *weight; /* channel with the particles' neighbour count; NULL: no weights */
    float weight_full;  /* number of neighbours from which a vertex moves fully; 13 */
} mesher_smooth_def;

/* Smooths the vertices, each by its weight: a drop of few particles keeps its shape. Closed
 * components keep their volumes. Taubin, "A signal processing approach to fair surface design"
 * (1995); Loeschner et al., "Weighted Laplacian smoothing for surface reconstruction of
 * particle-based fluids" (2023). Normals from the field become stale. Errors also: ARGUMENT for
 * a channel that does not exist or is not a scalar. */
weir_result mesher_surface_smooth(const weir_log *log, mesher_surface *surface,
                                  const mesher_smooth_def *def);

/* Computes vertex normals from the faces, weighted by their angle at the vertex, then averages
 * them `iterations` times with those of the neighbours. */
weir_result mesher_surface_normals(const weir_log *log, mesher_surface *surface,
                                   uint32_t iterations);

typedef struct mesher_filter_def {
    uint32_t min_triangles; /* components with fewer are removed */
    double min_volume;      /* m3; smaller closed components are removed; 0: none */
    bool remove_voids;      /* removes closed components wound inwards that lie inside another */
} mesher_filter_def;

typedef struct mesher_filter_info {
    uint32_t parts, voids; /* before filtering */
    uint32_t small_parts;  /* removed, together with the voids inside them */
    uint32_t filled_voids; /* removed */
} mesher_filter_info;

weir_result mesher_surface_filter(const weir_log *log, mesher_surface *surface,
                                  const mesher_filter_def *def, mesher_filter_info *info);

/* Makes drops round: divides the triangles of small closed components `levels` times and relaxes
 * them. A drop without other fluid within the field's reach gets the volume of its particles, if
 * the surface has the channel MESHER_NEIGHBOUR_CHANNEL; the others keep their volume. */
weir_result mesher_surface_round_drops(const weir_log *log, mesher_surface *surface,
                                       uint32_t levels);

typedef struct mesher_decimate_def {
    uint32_t triangles; /* number to keep */
    float error_m;      /* m, maximum distance that the surface may move; 0: unlimited */
} mesher_decimate_def;

typedef struct mesher_decimate_info {
    uint32_t before, after; /* triangles */
    uint32_t cuts;          /* vertices duplicated where the surface would have touched itself */
    float error_m;          /* m, approximate distance that the surface moved */
} mesher_decimate_info;

/* Decimates by quadric error (Garland and Heckbert 1997, meshoptimizer's meshopt_simplify).
 * Vertices keep their positions and attributes. Where the result touches itself it is cut, so
 * that a closed 2-manifold stays one. Errors also: UNSUPPORTED in a build without meshoptimizer. */
weir_result mesher_surface_decimate(const weir_log *log, mesher_surface *surface,
                                    const mesher_decimate_def *def, mesher_decimate_info *info);

/* Returns the distance to solids that the surface must not enter, m, negative inside. Called
 * from several threads. */
typedef struct mesher_solid {
    float (*distance)(void *user, vec3 point);
    void *user;
    /* Flat walls. Each attracts vertices by itself, so that fluid fills the corners between them.
     */
    struct mesher_wall {
        vec3 normal; /* unit, towards the fluid */
        float along; /* m, of the wall along the normal */
    } walls[6];
    uint32_t wall_count;
} mesher_solid;

typedef struct mesher_snap_def {
    /* m, > 0: vertices nearer than this move, those within half of it onto the solid */
    float band_m;
    float offset_m; /* m, distance of snapped vertices: 0 touches, below 0 overlaps */
    /* [vertex_count] vertices that move only if they are inside: those of drops, which would be
     * flattened otherwise; NULL: none */
    const bool *inside_only;
    /* [vertex_count] normals of any length, outwards. A vertex that faces away from the solid moves
     * only if it is inside: it is the far side of a sheet, which would lose its thickness; NULL:
     * none */
    const vec3 *facing;
} mesher_snap_def;

/* Moves vertices that are inside the solid, or nearly touch it, onto it along the gradient of
 * the distance; where other surfaces rise from there within the band, onto these as well, so that
 * edges and corners are filled. Returns how many moved. Triangles may lose their area: remove
 * slivers afterwards. */
uint32_t mesher_surface_snap(mesher_surface *surface, const mesher_solid *solid,
                             const mesher_snap_def *def);

/* Returns the unit normal out of the solid at a point; `band_m`: mesher_snap_def.band_m. */
vec3 mesher_solid_normal(const mesher_solid *solid, vec3 p, float band_m);

/* Moves vertices outside the box onto it. Returns how many moved. Remove slivers afterwards. */
uint32_t mesher_surface_clamp(mesher_surface *surface, vec3 min, vec3 max);

/* Runs all refinement steps of the def, in its order. The caller turns def->scene and
 * def->time_s into `solid`, which may be NULL; def->cell_size_m 0 uses the surface's own voxel
 * size. Errors also: ARGUMENT if a step needs the voxel size and neither is known. */
weir_result mesher_surface_refine(const weir_log *log, mesher_surface *surface,
                                  const weir_mesh_refine_def *def, const mesher_solid *solid,
                                  weir_mesh_refine_info *info);

#endif
