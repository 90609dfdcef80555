/* geometry: mesh and point algorithms on the CPU. They use no device and no handle of the public
 * API. */
#ifndef WEIR_GEOMETRY_H
#define WEIR_GEOMETRY_H

#include "io.h"
#include "scene.h"

struct solid_set;

/* ---- triangle lists ------------------------------------------------------------------------- */

typedef struct triangle_list {
    BASE_ARRAY(vec3) vertices;
    BASE_ARRAY(vec3) normals; /* one per vertex */
    BASE_ARRAY(uint32_t) indices;
} triangle_list;

/* Appends a vertex. Returns false when memory runs out. */
bool triangle_list_add_vertex(triangle_list *t, vec3 position, vec3 normal);
/* Appends triangles; `first` is added to each index. Returns false when memory runs out. */
bool triangle_list_add_indices(triangle_list *t, size_t first, const uint32_t *indices,
                               size_t count);
void triangle_list_free(triangle_list *t);

/* ---- shapes of a scene ---------------------------------------------------------------------- */

/* Appends the triangles of a shape, in the coordinates of its solid. Errors: IO (a mesh file),
 * MEMORY. */
weir_result shape_mesh_append(const weir_log *log, const scene_data *scene, uint32_t shape,
                              triangle_list *out);
/* Returns whether the shape contains a set whose surface is not that of its parts: any set except a
 * plain union. */
bool shape_needs_csg(const scene_data *scene, uint32_t shape);
/* Appends the triangles of the zero level set of a shape's signed distance. `set` contains the
 * solids of the scene. Errors: MEMORY. */
weir_result csg_mesh_append(const weir_log *log, const struct solid_set *set,
                            const scene_data *scene, uint32_t shape, triangle_list *out);

/* ---- meshes --------------------------------------------------------------------------------- */

/* Computes [vertex_count] unit normals, averaged over the triangles of each vertex by area. Returns
 * NULL when memory runs out. Free with base_free. */
vec3 *mesh_vertex_normals(const weir_mesh_arrays *mesh);
/* Appends a mesh with the normals of its file. Where the file has none, computes normals that are
 * smooth where faces meet at less than the angle of `cosine` and hard elsewhere. Returns false when
 * memory runs out. */
bool mesh_add_creased_normals(const io_mesh *mesh, float cosine, triangle_list *out);
#define MESH_SOLID_CREASE_COSINE 0.77f /* 40 degrees: shapes have edges */
/* 75 degrees: a surface of fluid has edges only where it meets walls; coarse drops are round. */
#define MESH_FLUID_CREASE_COSINE 0.26f
/* Closes the holes of a solid's mesh with triangle fans, as the solid's signed distance closes
 * them. Errors: MEMORY; the mesh is then unchanged. */
weir_result mesh_fill_holes(const weir_log *log, io_mesh *mesh);

/* ---- points --------------------------------------------------------------------------------- */

/* Computes the bounding box of the positions; min is above max when there are none. */
void points_bounding_box(const vec3 *positions, size_t count, vec3 *min, vec3 *max);
/* Computes a box outside of which positions are outliers: it contains the middle 98 % of the
 * coordinates along each axis, and is enlarged on every side by its longest edge. */
void points_bulk_box(const vec3 *positions, size_t count, vec3 *min, vec3 *max);
/* Estimates the particle spacing: the edge of the cube that one particle occupies inside the cloud.
 * Uses the number density rather than nearest neighbours, so that jittered particles give the same
 * result as a lattice. *spacing_m is 0 when no estimate is possible. Deterministic.
 * Errors: MEMORY. */
weir_result points_estimate_spacing(const weir_log *log, const vec3 *position, uint32_t count,
                                    float *spacing_m);
/* Drops points where the cloud is too dense, and logs a warning with their number. `thinned` equals
 * `def` when nothing is dropped. Takes linear time. Free with points_thinned_free.
 * Errors: MEMORY. */
weir_result points_thin(const weir_log *log, const weir_points_def *def, weir_points_def *thinned);
/* Frees the arrays of `thinned` that are not those of `def`. */
void points_thinned_free(const weir_points_def *def, weir_points_def *thinned);

#endif
