/* solid: shapes as signed distance on CPU and GPU, triangle meshes baked into distance volumes,
 * motion. A distance is negative inside. */
#ifndef WEIR_SOLID_H
#define WEIR_SOLID_H

#include "gpu.h"
#include "scene.h"

typedef struct solid_set solid_set;
typedef struct io_mesh io_mesh;

/* The edges of one triangle only, in its direction: the rims of holes. */
typedef struct solid_edge {
    uint32_t from, to; /* vertices */
} solid_edge;
typedef BASE_ARRAY(solid_edge) solid_edges;

/* Appends the open edges of a mesh. Vertices at the same position count as one. Release with
 * BASE_ARRAY_FREE. Errors: MEMORY. */
weir_result solid_find_open_edges(const weir_log *log, const io_mesh *mesh, solid_edges *edges);

/* Reads and bakes every mesh that a solid, a sink or a fill uses (cached by content in the device's
 * cache folder), compiles their shapes into node programs, and uploads both. `cell_m`: edge of a
 * volume's cells in world space. `scene` must outlive the set.
 * Errors: IO, SCENE (a mesh without triangles, a sequence whose topology changes, a shape of too
 * many nodes), MEMORY (volumes larger than the device can bind; says which cell would fit). */
weir_result solid_set_create(gpu_device *device, const scene_data *scene, float cell_m,
                             solid_set **set);
void solid_set_destroy(gpu_device *device, solid_set **set);
/* From now on the set reads this scene, whose solids are the same, and the former one may go. */
void solid_set_update_scene(solid_set *set, const scene_data *scene);

/* Warns of the open meshes of solids, sinks and fills, and says what becomes of each; and of shells
 * that are thinner than particles can meet. */
void solid_set_warn(const solid_set *set, const weir_log *log);

/* Exact for analytic shapes, trilinear in the baked volume for meshes. World space, shape at rest,
 * mesh sequences at their first file. `shape`: the root node of a solid, a sink or a fill. */
float solid_shape_distance(const solid_set *set, uint32_t shape, vec3 point);
void solid_shape_bounds(const solid_set *set, uint32_t shape, vec3 *min, vec3 *max);

/* Volume and moments, m3, m4 and m5. */
typedef struct solid_moments {
    double volume, first[3];
    double second[6]; /* xx yy zz xy xz yz */
} solid_moments;
/* Of a body's or a soft body's shape that is a closed mesh, from its triangles, in world axes about
 * `origin`. False for all other shapes, which distances weigh. */
bool solid_shape_moments(const solid_set *set, uint32_t shape, vec3 origin, solid_moments *moments);
/* A body's or a soft body's shape is a mesh whose triangles face inwards. */
bool solid_shape_is_inside_out(const solid_set *set, uint32_t shape);
/* A body's shape is a mesh, and some of its triangles face the other way than their neighbours: it
 * has no inside that could be told. */
bool solid_shape_has_mixed_winding(const solid_set *set, uint32_t shape);
/* A body's shape has other meshes, open ones or parts of a set: then they have volumes of finer
 * cells to be weighed by, and these are the distances there. */
bool solid_shape_is_fine(const solid_set *set, uint32_t shape);
float solid_shape_fine_distance(const solid_set *set, uint32_t shape, vec3 point);

/* The node program, one range of nodes per solid and sink: shaders/shared/solid.h. */
gpu_buffer *solid_nodes(const solid_set *set);
gpu_buffer *solid_volumes(const solid_set *set);
/* GPU_MEMORY_DEVICE: one struct solid_item per solid, then per body, then per sink. */
gpu_buffer *solid_items(const solid_set *set);
uint32_t solid_item_count(const solid_set *set);
uint32_t solid_body_first(const solid_set *set);
uint32_t solid_sink_first(const solid_set *set);
/* The value of SOLID_CONSTANT_NESTING that kernels need for the set's items; 0 without a set. */
uint32_t solid_set_nesting(const solid_set *set);
/* The value of SOLID_CONSTANT_MISSING_KINDS, likewise. */
uint32_t solid_set_missing_kinds(const solid_set *set);
/* No solid moves or changes its shape, ever. */
bool solid_set_is_static(const solid_set *set);

/* What a caller moves, here for each of a list, whether he moves it or not: in each frame it goes
 * evenly to where he wants it. */
typedef struct solid_target {
    scene_pose from, to; /* of the last frame that has begun, */
    double from_s, to_s; /* and its times */
    scene_pose wanted;
} solid_target;
solid_target *solid_targets_create(uint32_t count); /* NULL: no memory */
/* Where it has to be at the end of the next frame. */
void solid_target_set(solid_target *all, uint32_t index, const scene_pose *pose);
/* Where it is now, whatever was before. */
void solid_target_teleport(solid_target *all, uint32_t index, const scene_pose *pose);
void solid_targets_begin_frame(solid_target *all, uint32_t count, double start_s, double end_s);
/* At a time of the last frame that has begun. */
scene_pose solid_target_pose_at(const solid_target *all, uint32_t index, double time_s);

/* Solids whose motion is SCENE_MOTION_HOST_DRIVEN: from where it is, a solid moves evenly to `pose`
 * during the next frame, and stays there; `jump`: it is there already when the frame begins. */
void solid_set_target(solid_set *set, uint32_t solid, const scene_pose *pose, bool jump);
/* Before the poses of a frame are asked for. */
void solid_set_begin_frame(solid_set *set, double start_s, double end_s);
/* Where a steered solid is at the end of the last frame that has begun. */
scene_pose solid_set_target_pose(const solid_set *set, uint32_t solid);
/* A steered solid is there now; where the next frame moves it to is as before. */
void solid_set_restore_target(solid_set *set, uint32_t solid, const scene_pose *pose);

/* Fills `poses`, solid_item_count entries: the world pose of each item at time_s, the end of a
 * substep, and at time_s - dt_s, its start. Bodies are where they were at the start of the scene.
 */
struct solid_pose;
void solid_poses_at(const solid_set *set, double time_s, double dt_s, struct solid_pose *poses);

#endif
