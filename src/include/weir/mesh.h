/* Triangle meshes: surfaces of points, refinement, and mesh files.
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

/* Scalar field whose level set is the surface. */
typedef enum weir_mesh_field {
    WEIR_MESH_FIELD_ZHU_BRIDSON, /* distance to the mean position of near particles (2005) */
    WEIR_MESH_FIELD_COLOUR,      /* SPH colour field with a cubic spline, as in splashsurf */
    /* Colour field of ellipsoids with smoothed centres (Yu and Turk 2013). */
    WEIR_MESH_FIELD_ANISOTROPIC,
} weir_mesh_field;

typedef enum weir_mesh_normals {
    WEIR_MESH_NORMALS_FIELD, /* gradient of the field */
    WEIR_MESH_NORMALS_FACES, /* mean over the triangles at a vertex, weighted by their angles */
    WEIR_MESH_NORMALS_NONE,
} weir_mesh_normals;

typedef struct weir_mesher_def {
    uint32_t cookie;
    weir_mesh_field field; /* default ZHU_BRIDSON; all defaults are of the preset "calibrated" */
    /* Lengths in particle spacings: */
    float cell_size; /* edge of a voxel, 0.01 to 100; default 1 */
    /* Radius within which particles contribute, 0.1 to 100 and 1 to 32 voxels; default 4. */
    float search_radius;
    /* Radius of a particle, 0.01 to 100 (ZHU_BRIDSON); default 1.01, which preserves volume. */
    float particle_radius;
    float cell_size_m; /* edge of a voxel in m, 1e-9 to 1e9; 0, the default: use `cell_size` */
    /* Field value at the surface, 0.01 to 0.99 (COLOUR, ANISOTROPIC); default 0.6. */
    float iso_value;
    /* Fraction of the offset to the mean of its neighbours by which a centre moves, 0 to 1
     * (ANISOTROPIC); default 0.9. */
    float centre_smoothing;
    /* Ratio of the longest to the shortest axis of an ellipsoid, 1 to 16; default 4. */
    float max_anisotropy;
    /* Resolves ambiguous faces with the asymptotic decider; false: such faces always separate. */
    bool asymptotic_decider;
    /* Avoids sheets between separate parts of the fluid (ZHU_BRIDSON); default true. */
    bool sheet_damping;
    weir_mesh_normals normals; /* default FIELD */
    bool velocity;   /* computes vertex velocities if the points have velocity; default true */
    bool attributes; /* computes channels "density" and "fluid" if the points have those fields */
    bool
        particle_attributes; /* computes a channel for each attribute of the points; default true */
    /* weir_mesher_run returns the mesh of marching cubes as it is; false, the default: refined with
     * weir_mesh_refine_def_default, as `weir mesh` writes it. If the points come from a simulation,
     * the mesh also meets the solids and walls of its scene. */
    bool raw;
    /* Computes a channel "neighbours": particles within the search radius. Refinement removes it,
     * so set `raw`, too. */
    bool neighbours;
    /* Particles with fewer neighbours within `search_radius` become spray, which is not part of the
     * surface. */
    uint32_t spray_neighbours;
    uint64_t max_memory_bytes; /* limit of device memory for the mesher; 0: half of the device's */
} weir_mesher_def;

/* Returns the settings of a preset: "calibrated" (also for NULL), "zhu-bridson" (the paper's wide
 * search radius, which loses volume), "sph" (splashsurf's recommended settings) or "anisotropic".
 * For any other name, weir_mesher_create refuses the def. */
WEIR_API weir_mesher_def weir_mesher_def_default(const char *preset);

/* Creates a mesher, which keeps its buffers between frames. NULL `def` means the preset
 * "calibrated". Errors: ARGUMENT, MEMORY. */
WEIR_API weir_result weir_mesher_create(weir_device *device, const weir_mesher_def *def,
                                        weir_mesher **mesher);
WEIR_API void weir_mesher_destroy(weir_mesher **mesher);

/* Computes the mesh of the surface of one frame and refines it unless the def is raw. Lattice nodes
 * lie at integer multiples of the voxel size, so the lattice does not move with the fluid. No
 * particles give an empty mesh. The result is the same to the byte for any order of the particles
 * (ANISOTROPIC: for the same order), and also when a frame too large for the memory is meshed in
 * parts. Waits. Errors: MEMORY (the log states how much is missing), ARGUMENT (particles too far
 * apart for the voxel size), DEVICE_LOST. */
WEIR_API weir_result weir_mesher_run(weir_mesher *mesher, const weir_points *points,
                                     weir_mesh **mesh);

/* A vertex attribute. */
typedef struct weir_mesh_channel {
    const char *name;    /* "density", "fluid", "neighbours", or that of an attribute */
    uint32_t components; /* 1 to 4 */
    const float *values; /* [vertex_count * components] */
} weir_mesh_channel;

/* Arrays of a mesh, valid until the mesh is refined or destroyed. */
typedef struct weir_mesh_arrays {
    uint32_t vertex_count, triangle_count;
    const float *position; /* [3 * vertex_count], m */
    const float *normal;   /* [3 * vertex_count], unit length, outwards; NULL: none */
    const float *velocity; /* [3 * vertex_count], m/s; NULL: none */
    const uint32_t *index; /* [3 * triangle_count], counter-clockwise as seen from outside */
    uint32_t channel_count;
    weir_mesh_channel channel[12];
    uint32_t spray_count;        /* particles that are not part of the surface */
    const float *spray_position; /* [3 * spray_count], m */
    const float *spray_velocity; /* [3 * spray_count], m/s; NULL: none */
    float spray_radius_m;        /* radius of a sphere with the volume of one particle */
} weir_mesh_arrays;

/* Fills in the arrays of a mesh; zeros for a NULL mesh. */
WEIR_API void weir_mesh_get_arrays(const weir_mesh *mesh, weir_mesh_arrays *view);
WEIR_API void weir_mesh_destroy(weir_mesh **mesh);

/* ---- refining a mesh ------------------------------------------------------------------------ */

typedef enum weir_mesh_smoothing {
    WEIR_MESH_SMOOTHING_NONE,
    WEIR_MESH_SMOOTHING_TAUBIN,  /* preserves waves longer than a few voxels */
    WEIR_MESH_SMOOTHING_LAPLACE, /* flattens more, but preserves the volume of each component */
} weir_mesh_smoothing;

/* Settings of the refinement steps, in the order in which they run. Each step keeps a closed
 * 2-manifold closed and 2-manifold. */
typedef struct weir_mesh_refine_def {
    uint32_t cookie;
    /* Removes slivers by joining vertices near a lattice node and flipping edges; default true. */
    bool remove_slivers;
    float cell_size_m; /* edge of a voxel, at least 0; 0, the default: that of the mesher */
    weir_mesh_smoothing smooth_method; /* default LAPLACE */
    uint32_t smooth_iterations;        /* 0 to 1000; default 8 */
    float smooth_strength; /* fraction of the offset to the neighbours' mean, 0 to 1; default 0.5 */
    /* Number of "neighbours" from which a vertex moves by the full fraction; with fewer it moves
     * less, so drops keep their shape. Needs the channel of that name and removes it. At least 0;
     * default 13. */
    float smooth_neighbours;
    uint32_t min_component_triangles; /* smaller components are removed; default 0 */
    double min_component_volume_m3;   /* smaller components are removed; at least 0, default 0 */
    bool remove_voids;                /* removes closed voids inside components */
    /* Components of up to 160 triangles become round: each triangle is divided into four this many
     * times, 0 to 3; 0: they stay as they are; default 1. If there is a channel "neighbours", a
     * drop of up to 40 particles without other fluid within the search radius gets the volume of
     * its particles. */
    uint32_t drop_subdivisions;
    double decimate_ratio;  /* fraction of triangles that decimation keeps, 0 to 1; default 1 */
    uint32_t max_triangles; /* maximum number that decimation keeps; default UINT32_MAX */
    float decimate_error_m; /* decimation stops at this error; 0, the default: no limit */
    /* Scene whose solids and closed sides stop vertices; NULL: none. It must live until the mesh
     * has been refined. */
    const weir_scene *scene;
    double time_s; /* time that determines the poses of moving solids, s; default 0 */
    /* Vertices closer to a solid snap to it, within half of it fully; 0, the default: two particle
     * spacings, at least one voxel. */
    float snap_distance_m;
    float snap_offset_m; /* distance of snapped vertices; default 0: touching; below 0: overlap */
    bool clamp_to_box;   /* moves vertices outside the box onto it */
    float clamp_min[3], clamp_max[3]; /* m, the box */
    weir_mesh_normals normals; /* default FACES; FIELD keeps normals although vertices have moved */
    uint32_t normal_smooth_iterations; /* rounds of averaging neighbouring normals, 0 to 1000 */
} weir_mesh_refine_def;

/* Returns a def with all defaults. */
WEIR_API weir_mesh_refine_def weir_mesh_refine_def_default(void);

/* What the refinement steps did. */
typedef struct weir_mesh_refine_info {
    uint32_t triangles_before, triangles_after;
    double volume_before, volume_after; /* m3 */
    uint32_t edges_collapsed, edges_flipped;
    uint32_t flat_triangles;    /* removed with components whose volume had become 0 */
    uint32_t components, voids; /* before removal; 0 when the def removes none */
    uint32_t components_removed, voids_removed;
    uint32_t decimated_triangles;  /* triangles removed by decimation */
    uint32_t split_vertices;       /* vertices duplicated where the decimated mesh touched itself */
    float decimate_error_m;        /* m, an estimate */
    uint32_t snapped_vertices;     /* vertices moved to solids */
    uint32_t clamped_vertices;     /* vertices moved onto the box */
    uint32_t degenerate_triangles; /* remaining triangles without area */
} weir_mesh_refine_info;

/* Refines a mesh in place, which invalidates its weir_mesh_arrays. NULL `def` means all defaults.
 * `info` may be NULL. The same mesh and def give the same bytes with any number of processors. Any
 * thread when `def->scene` is NULL. Waits when there are solids. Errors: ARGUMENT, MEMORY,
 * UNSUPPORTED (decimation in a build without meshoptimizer), IO (a solid's mesh file). The mesh
 * remains usable after an error. */
WEIR_API weir_result weir_mesh_refine(weir_mesh *mesh, const weir_mesh_refine_def *def,
                                      weir_mesh_refine_info *info);

/* ---- files ---------------------------------------------------------------------------------- */

typedef enum weir_mesh_format {
    WEIR_MESH_FORMAT_OBJ,  /* text: positions, normals and triangles, but no velocities */
    WEIR_MESH_FORMAT_PLY,  /* binary little-endian; velocity as vx vy vz, m/s */
    WEIR_MESH_FORMAT_VTK,  /* legacy binary polydata, with a .vtk.series next to the frames */
    WEIR_MESH_FORMAT_BGEO, /* version 5, gzip: P N v, for Houdini's motion blur */
    WEIR_MESH_FORMAT_VTP,  /* VTK's XML polydata, binary, with a .vtp.series next to the frames */
    WEIR_MESH_FORMAT_COUNT,
} weir_mesh_format;

/* Rotation by a right angle about x, for files with another up axis. */
typedef enum weir_axis_conversion {
    WEIR_AXIS_CONVERSION_NONE,
    WEIR_AXIS_CONVERSION_Y_TO_Z, /* y is up in memory, z in the file */
    WEIR_AXIS_CONVERSION_Z_TO_Y, /* z is up in memory, y in the file */
} weir_axis_conversion;

typedef struct weir_mesh_save_def {
    uint32_t cookie;
    weir_mesh_format format; /* WEIR_MESH_FORMAT_COUNT, the default: from the path's extension */
    weir_axis_conversion axis_conversion; /* default NONE */
    double scale; /* factor for positions and velocities, above 0; default 1 */
    /* m, added to the positions before axes and scale are converted: weir_particles.origin_m.
     * PLY and VTK then store 64-bit positions and OBJ all digits; BGEO, which has only 32 bits,
     * stores the mesh relative to the origin and logs it. Default 0. */
    double origin_m[3];
    /* OBJ: positions are rounded to this step, m, or finer; 0, the default: a ten-thousandth of a
     * voxel. */
    float precision_m;
    uint32_t threads; /* threads that write; the bytes do not depend on it; 0: one per processor */
    double time_s;    /* time of the frame, s; stored in the file and in a .vtk.series */
} weir_mesh_save_def;

/* Returns a def with all defaults. */
WEIR_API weir_mesh_save_def weir_mesh_save_def_default(void);

/* Writes a mesh to a file, which appears complete or not at all. Creates a missing folder. Adds a
 * VTK file whose name ends in a number to the .vtk.series of its sequence. Any thread. NULL `def`
 * means all defaults. Errors: ARGUMENT (the extension is not that of a mesh format), IO, MEMORY. */
WEIR_API weir_result weir_mesh_save(weir_mesh *mesh, const char *path,
                                    const weir_mesh_save_def *def);

/* Writes the spray of a mesh (weir_mesher_def.spray_neighbours) as points with a radius ("radius"
 * in PLY and VTK, pscale in BGEO), rotated and scaled like the mesh. The path's extension selects
 * the weir_particle_format. Any thread. NULL `def` means all defaults. Errors: ARGUMENT (unknown
 * extension), IO, MEMORY. */
WEIR_API weir_result weir_mesh_save_spray(weir_mesh *mesh, const char *path,
                                          const weir_mesh_save_def *def);

typedef struct weir_mesh_load_def {
    uint32_t cookie;
    weir_axis_conversion axis_conversion; /* default NONE */
    double scale;                         /* of lengths, above 0; default 1 */
    /* [3], in the file's coordinates: subtracted from the vertices, so that those of a map keep
     * their precision. An origin of 0 0 0 becomes one near the mesh if that is far from 0. NULL,
     * the default: 0. */
    double *origin;
} weir_mesh_load_def;

/* Returns a def with all defaults. */
WEIR_API weir_mesh_load_def weir_mesh_load_def_default(void);

/* Reads a mesh file of a format listed at weir_mesh_inspect, for weir_render_mesh and
 * weir_mesh_get_arrays. NULL `def` means all defaults. Normals are those of an OBJ file;
 * otherwise they are smooth where faces meet at less than 75 degrees and hard elsewhere, where
 * vertices are duplicated. Errors: ARGUMENT, IO, MEMORY. */
WEIR_API weir_result weir_mesh_load(weir_device *device, const char *path,
                                    const weir_mesh_load_def *def, weir_mesh **mesh);

/* Measurements and defects of a triangle mesh, in the file's units. */
typedef struct weir_mesh_info {
    uint32_t vertices, triangles;
    double min[3], max[3];         /* bounds of the vertices; 0 without vertices */
    bool closed;                   /* no boundary edges */
    bool manifold;                 /* no non-manifold edges or vertices */
    bool oriented;                 /* no flipped edges and no component inside out */
    uint32_t boundary_edges;       /* edges of one triangle: the rims of holes */
    uint32_t nonmanifold_edges;    /* edges of more than two triangles */
    uint32_t nonmanifold_vertices; /* vertices with more than one fan, as where cones touch */
    uint32_t flipped_edges;        /* edges whose two triangles disagree on which side is outside */
    uint32_t components;           /* parts that share no vertex, including voids */
    uint32_t voids;                /* closed components, wound inwards, inside another component */
    uint32_t inside_out;           /* closed components, wound inwards, not inside another */
    int64_t euler;                 /* used vertices - edges + triangles: a sphere 2, a torus 0 */
    uint32_t degenerate_triangles; /* repeated vertex, or area below 1e-7 of the longest edge^2 */
    uint32_t duplicate_triangles;  /* triangles with the three vertices of an earlier one */
    uint32_t duplicate_vertices;   /* vertices at exactly the position of an earlier one */
    uint32_t unused_vertices;
    double volume, area; /* the volume is signed, and meaningless unless the mesh is closed */
    /* Over all triangles that are not degenerate, 0 without any: minimum, 1st percentile, 5th
     * percentile and mean of a triangle's smallest angle, degrees to within 0.01; then the
     * fractions of triangles, 0 to 1, where it is below 5, 10 and 20 degrees. */
    double angle_min, angle_p1, angle_p5, angle_mean;
    double angle_below_5, angle_below_10, angle_below_20;
    double quality_mean, quality_p5; /* 2 inradius / circumradius; equilateral: 1 */
    double aspect_mean, aspect_p95;  /* longest edge / (2 sqrt 3 inradius); equilateral: 1 */
} weir_mesh_info;

/* Reads and measures a triangle mesh file: OBJ, PLY, STL, glTF 2.0, VTK or BGEO. If merging
 * vertices at equal positions closes holes, they count as one. `log` may be NULL. Errors: IO,
 * MEMORY. */
WEIR_API weir_result weir_mesh_inspect(const weir_log *log, const char *path, weir_mesh_info *info);

#ifdef __cplusplus
}
#endif
#endif
