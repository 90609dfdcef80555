/* Triangle meshes: from points, refining, and files of meshes.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_MESH_PUBLIC_H
#define WEIR_MESH_PUBLIC_H

#include "points.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_mesher weir_mesher;
typedef struct weir_mesh weir_mesh;

typedef enum weir_mesh_field {
    WEIR_MESH_FIELD_ZHU_BRIDSON, /* distance to the mean position of near particles (2005) */
    WEIR_MESH_FIELD_COLOUR,      /* SPH colour field with a cubic spline, as splashsurf has it */
    WEIR_MESH_FIELD_ANISOTROPIC, /* colour field of ellipsoids with smoothed centres (Yu, Turk 2013)
                                  */
} weir_mesh_field;

typedef enum weir_mesh_normals {
    WEIR_MESH_NORMALS_FIELD, /* the field's gradient */
    WEIR_MESH_NORMALS_FACES, /* mean over the triangles at a vertex, weighted by their angles */
    WEIR_MESH_NORMALS_NONE,
} weir_mesh_normals;

typedef struct weir_mesher_def {
    uint32_t cookie;
    weir_mesh_field field; /* default ZHU_BRIDSON; defaults here are those of "calibrated" */
    /* Lengths in particle spacings: */
    float cell_size;       /* edge of a lattice cell, 0.01 to 100; default 1 */
    float search_radius;   /* radius within which particles count, 0.1 to 100 and 1 to 32 cells;
                              default 4 */
    float particle_radius; /* of a particle, 0.01 to 100 (ZHU_BRIDSON); default 1.01, which keeps
                              volumes */
    float cell_size_m;     /* `cell_size` in m, 1e-9 to 1e9; 0, the default: by `cell_size` */
    float iso_value; /* value at the surface, 0.01 to 0.99 (COLOUR, ANISOTROPIC); default 0.6 */
    float centre_smoothing; /* share of the offset to its neighbours' mean that a centre moves, 0 to
                        1 (ANISOTROPIC); default 0.9 */
    float max_anisotropy;   /* longest over shortest axis of an ellipsoid, 1 to 16; default 4 */
    bool
        asymptotic_decider; /* asymptotic decider on ambiguous faces; false: they always separate */
    bool sheet_damping;     /* no sheets between bodies that are near (ZHU_BRIDSON); default true */
    weir_mesh_normals normals; /* default FIELD */
    bool velocity;   /* velocities at the vertices, when the points have them; default true */
    bool attributes; /* density and fluid at the vertices, likewise, as channels */
    bool neighbours; /* channel "neighbours": particles within the search radius */
    uint32_t spray_neighbours; /* particles with fewer neighbours within `search_radius` leave the
                                  surface */
    uint64_t max_memory_bytes; /* most device memory of the mesher; 0: half of the device's */
} weir_mesher_def;

/* `preset`: "calibrated" (also NULL), "zhu-bridson" (the paper's wide search radius, which loses
 * volume), "sph" (splashsurf's recommended settings) or "anisotropic". weir_mesher_create refuses
 * the def of any other preset. */
WEIR_API weir_mesher_def weir_mesher_def_default(const char *preset);

/* A mesher keeps its buffers from frame to frame. Errors: ARGUMENT, MEMORY. */
WEIR_API weir_result weir_mesher_create(weir_device *device, const weir_mesher_def *def,
                                        weir_mesher **mesher);
WEIR_API void weir_mesher_destroy(weir_mesher **mesher);

/* Makes the mesh of one frame. Waits. The lattice has a node at each whole multiple of the cell, so
 * that it does not move with the fluid. No particles give an empty mesh. The same particles in any
 * order (ANISOTROPIC: in the same order) give the same bytes. A frame that does not fit into the
 * memory is meshed in parts, with the same result. Errors: MEMORY (the log says how much is
 * missing), ARGUMENT (particles too far apart for the cell), DEVICE_LOST. */
WEIR_API weir_result weir_mesher_run(weir_mesher *mesher, const weir_points *points,
                                     weir_mesh **mesh);

typedef struct weir_mesh_channel {
    const char *name;    /* "density", "fluid" or "neighbours" */
    uint32_t components; /* 1 to 3 */
    const float *values; /* [vertex_count * components] */
} weir_mesh_channel;

/* The arrays of a mesh. They live until the mesh is refined or destroyed. */
typedef struct weir_mesh_arrays {
    uint32_t vertex_count, triangle_count;
    const float *position; /* [3 * vertex_count], m */
    const float *normal;   /* [3 * vertex_count], of length 1, outwards; NULL: none */
    const float *velocity; /* [3 * vertex_count], m/s; NULL: none */
    const uint32_t *index; /* [3 * triangle_count], counter-clockwise as seen from outside */
    uint32_t channel_count;
    weir_mesh_channel channel[8];
    uint32_t spray_count;        /* particles that left the surface */
    const float *spray_position; /* [3 * spray_count], m */
    const float *spray_velocity; /* [3 * spray_count], m/s; NULL: none */
    float spray_radius_m;        /* of a ball with the volume of one particle */
} weir_mesh_arrays;

/* Zeros for a NULL mesh. */
WEIR_API void weir_mesh_get_arrays(const weir_mesh *mesh, weir_mesh_arrays *view);
WEIR_API void weir_mesh_destroy(weir_mesh **mesh);

/* ---- refining a mesh ------------------------------------------------------------------------ */

typedef enum weir_mesh_smoothing {
    WEIR_MESH_SMOOTHING_NONE,
    WEIR_MESH_SMOOTHING_TAUBIN,  /* does not flatten waves that are longer than a few cells */
    WEIR_MESH_SMOOTHING_LAPLACE, /* flattens more, but each component keeps its volume */
} weir_mesh_smoothing;

/* Settings of the steps, in the order in which they run. Each step leaves a closed 2-manifold
 * closed and 2-manifold. */
typedef struct weir_mesh_refine_def {
    uint32_t cookie;
    bool remove_slivers; /* removes slivers: joins vertices near one lattice node, flips edges;
                            default on */
    float
        cell_size_m; /* edge of a lattice cell, at least 0; 0, the default: as the mesh was made */
    weir_mesh_smoothing smooth_method; /* default LAPLACE */
    uint32_t smooth_iterations;        /* 0 to 1000; default 8 */
    float smooth_strength;   /* share of the offset to the neighbours' mean, 0 to 1; default 0.5 */
    float smooth_neighbours; /* a vertex with this many "neighbours" or more moves by all of that
                                share, with fewer by less, so that drops keep their shape; needs
                                the channel of that name and removes it; at least 0, default 13 */
    uint32_t min_component_triangles; /* smaller components are removed; default 0 */
    double
        min_component_volume_m3; /* components of less volume are removed; at least 0, default 0 */
    bool remove_voids;           /* removes closed hollows inside components */
    double decimate_ratio;   /* share of the triangles to keep in decimation, 0 to 1; default 1 */
    uint32_t max_triangles;  /* most triangles to keep in decimation; default UINT32_MAX */
    float decimate_error_m;  /* decimation stops at this error; 0, the default: at none */
    const weir_scene *scene; /* its solids and closed domain sides stop vertices; NULL: nothing
                                does; it must live until the mesh has been refined */
    double time_s;           /* at which moving solids have their positions; default 0 */
    float snap_distance_m;   /* vertices nearer to a solid move to it; 0, the default: one cell */
    float snap_offset_m;     /* their distance then: 0, the default, touches; below 0 overlaps */
    bool clamp_to_box;       /* moves vertices outside the box below onto it */
    float clamp_min[3], clamp_max[3]; /* m */
    weir_mesh_normals normals; /* default FACES; FIELD keeps them though vertices have moved */
    uint32_t normal_smooth_iterations; /* how often normals are averaged with those of neighbours, 0
                                   to 1000; default 0 */
} weir_mesh_refine_def;

WEIR_API weir_mesh_refine_def weir_mesh_refine_def_default(void);

/* What the steps did. */
typedef struct weir_mesh_refine_info {
    uint32_t triangles_before, triangles_after;
    double volume_before, volume_after; /* m3 */
    uint32_t edges_collapsed, edges_flipped;
    uint32_t flat_triangles;    /* removed with components that had no volume left */
    uint32_t components, voids; /* before the removal; 0 when the def removes none */
    uint32_t components_removed, voids_removed;
    uint32_t decimated_triangles; /* triangles that decimation removed */
    uint32_t split_vertices; /* vertices doubled because the decimated mesh touched itself there */
    float decimate_error_m;  /* an estimate */
    uint32_t snapped_vertices;     /* vertices moved to solids */
    uint32_t clamped_vertices;     /* vertices moved onto the box */
    uint32_t degenerate_triangles; /* triangles without area that are left */
} weir_mesh_refine_info;

/* Changes the mesh; a weir_mesh_arrays from before is no longer valid. `info` may be NULL. The same
 * mesh and def give the same bytes, with any number of processors. Any thread when `def->scene` is
 * NULL. Waits for the solids, if any. Errors: ARGUMENT, MEMORY, UNSUPPORTED (decimation without
 * meshoptimizer), IO (a solid's mesh file); the mesh can still be used. */
WEIR_API weir_result weir_mesh_refine(weir_mesh *mesh, const weir_mesh_refine_def *def,
                                      weir_mesh_refine_info *info);

/* ---- files ---------------------------------------------------------------------------------- */

typedef enum weir_mesh_format {
    WEIR_MESH_FORMAT_OBJ,  /* text: positions, normals, triangles; it cannot hold velocities */
    WEIR_MESH_FORMAT_PLY,  /* binary little-endian; velocity as vx vy vz, m/s */
    WEIR_MESH_FORMAT_VTK,  /* legacy binary polydata, with a .vtk.series beside the frames */
    WEIR_MESH_FORMAT_BGEO, /* version 5, gzip: P N v, for Houdini's motion blur */
    WEIR_MESH_FORMAT_COUNT,
} weir_mesh_format;

/* A turn by a right angle about x, when a file has another direction up. */
typedef enum weir_axis_conversion {
    WEIR_AXIS_CONVERSION_NONE,
    WEIR_AXIS_CONVERSION_Y_TO_Z, /* y is up in memory, z in the file */
    WEIR_AXIS_CONVERSION_Z_TO_Y, /* z is up in memory, y in the file */
} weir_axis_conversion;

typedef struct weir_mesh_save_def {
    uint32_t cookie;
    weir_mesh_format format; /* WEIR_MESH_FORMAT_COUNT, the default: by the path's extension */
    weir_axis_conversion axis_conversion; /* default NONE */
    double scale;      /* factor of positions and velocities, above 0; default 1 */
    float precision_m; /* OBJ: positions are rounded to such steps or finer; 0, the default: a
                          ten-thousandth of a cell */
    uint32_t threads;  /* that make the file, always with the same bytes; 0: one per processor */
    double time_s;     /* of the frame; written into the file and into a .vtk.series */
} weir_mesh_save_def;

WEIR_API weir_mesh_save_def weir_mesh_save_def_default(void);

/* Writes a mesh, whole or not at all; makes the folder when it is missing. Adds a VTK file whose
 * name ends in a number to the .vtk.series of its sequence. Any thread. Errors: ARGUMENT (the
 * extension names no mesh format), IO, MEMORY. */
WEIR_API weir_result weir_mesh_save(weir_mesh *mesh, const char *path,
                                    const weir_mesh_save_def *def);

/* Writes the particles that left the surface (weir_mesher_def.spray) as points with a radius (in
 * PLY and VTK "radius", in BGEO pscale), turned and scaled like the mesh. The path's extension says
 * the weir_particle_format. Any thread. Errors: ARGUMENT (the extension names none), IO, MEMORY. */
WEIR_API weir_result weir_mesh_save_spray(weir_mesh *mesh, const char *path,
                                          const weir_mesh_save_def *def);

/* Reads the files that weir_mesh_inspect reads, for weir_render_mesh and weir_mesh_get_arrays;
 * `turn` and `scale`, above 0, are applied. Normals are the file's (OBJ), else round where faces
 * meet at less than 40 degrees and hard elsewhere: a vertex there becomes several. Errors: IO,
 * MEMORY. */
WEIR_API weir_result weir_mesh_load(weir_device *device, const char *path,
                                    weir_axis_conversion turn, double scale, weir_mesh **mesh);

/* What is right and wrong with a triangle mesh. Lengths, areas and volumes in the mesh's units. */
typedef struct weir_mesh_info {
    uint32_t vertices, triangles;
    float min[3], max[3];          /* of the vertices; 0 without vertices */
    bool closed;                   /* it has no boundary edges */
    bool manifold;                 /* it has no non-manifold edges or vertices */
    bool oriented;                 /* it has no flipped edges and no component inside out */
    uint32_t boundary_edges;       /* edges of one triangle: the rims of holes */
    uint32_t nonmanifold_edges;    /* edges of more than two triangles */
    uint32_t nonmanifold_vertices; /* their triangles are more than one fan, as where cones touch */
    uint32_t flipped_edges;        /* their two triangles disagree on which side is outside */
    uint32_t components;           /* parts that share no vertex, voids included */
    uint32_t voids;                /* closed components, wound inwards, inside another component */
    uint32_t inside_out;           /* closed components, wound inwards, inside no other */
    int64_t euler;                 /* used vertices - edges + triangles: a sphere 2, a torus 0 */
    uint32_t degenerate_triangles; /* a vertex twice, or area below 1e-7 of the longest edge^2 */
    uint32_t duplicate_triangles;  /* with the three vertices of an earlier one */
    uint32_t duplicate_vertices;   /* at exactly the position of an earlier one */
    uint32_t unused_vertices;
    double volume, area; /* the volume is signed, and has no meaning when the mesh is not closed */
    /* Over the triangles that are not degenerate, 0 without any. Of each triangle's smallest angle,
     * degrees to within 0.01: the least, the 1st and 5th percentile, the mean; then the shares of
     * triangles, 0 to 1, where it is below 5, 10 and 20 degrees. */
    double angle_min, angle_p1, angle_p5, angle_mean;
    double angle_below_5, angle_below_10, angle_below_20;
    double quality_mean, quality_p5; /* 2 inradius / circumradius; equilateral: 1 */
    double aspect_mean, aspect_p95;  /* longest edge / (2 sqrt 3 inradius); equilateral: 1 */
} weir_mesh_info;

/* Reads and measures a file with a triangle mesh: OBJ, PLY, STL, VTK or BGEO. `log` may be NULL.
 * Errors: IO, MEMORY. */
WEIR_API weir_result weir_mesh_inspect(const weir_log *log, const char *path, weir_mesh_info *info);

#ifdef __cplusplus
}
#endif
#endif
