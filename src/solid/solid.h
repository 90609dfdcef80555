/* solid: signed distances of shapes on CPU and GPU, triangle meshes baked into distance volumes,
 * motion. Distances are negative inside. */
#ifndef WEIR_SOLID_H
#define WEIR_SOLID_H

#include "gpu.h"
#include "scene.h"

typedef struct solid_set solid_set;
typedef struct io_mesh io_mesh;

/* An edge that belongs to one triangle only, in that triangle's direction: part of the rim of a
 * hole. */
typedef struct solid_edge {
    uint32_t from, to; /* vertices */
} solid_edge;
typedef BASE_ARRAY(solid_edge) solid_edges;

/* Appends the open edges of a mesh. Vertices at the same position count as one. Release with
 * BASE_ARRAY_FREE. Errors: MEMORY. */
weir_result solid_find_open_edges(const weir_log *log, const io_mesh *mesh, solid_edges *edges);

/* Creates the set: reads and bakes every mesh that a solid, sink, emitter, fluid or force uses
 * (cached by content in the device's cache folder), compiles the shapes into node programs and
 * uploads both. `cell_m` is the edge of a volume's cells in world space. `scene` must outlive the
 * set. Errors: IO, SCENE (a mesh without triangles, a sequence whose topology changes, a shape with
 * too many nodes), MEMORY (volumes larger than the device can bind; the message says which cell
 * size would fit). */
weir_result solid_set_create(gpu_device *device, const scene_data *scene, float cell_m,
                             solid_set **set);
void solid_set_destroy(gpu_device *device, solid_set **set);
/* Replaces the set's scene by one with the same solids; the old one may then be freed. */
void solid_set_update_scene(solid_set *set, const scene_data *scene);

/* Warns about open meshes of solids, sinks, emitters and fluids, with their effect, and about
 * shells too thin for particles to collide with. */
void solid_set_warn(const solid_set *set, const weir_log *log);

/* Logs the size of each mesh that is a solid, a body or a fluid by itself, in m and in spacings.
 * `boxes`: minimum and maximum per mesh of the scene. */
void solid_report_file_sizes(const weir_log *log, const scene_data *scene, const vec3 *boxes);

/* Returns the distance to a shape: exact for analytic shapes, trilinear in the baked volume for
 * meshes; in world space, for the shape at rest and the first file of a mesh sequence. `shape` is
 * the root node of a solid, a sink, an emitter, a fluid or a force. */
float solid_shape_distance(const solid_set *set, uint32_t shape, vec3 point);
/* The same at a time of its mesh sequences. */
float solid_shape_distance_at(const solid_set *set, uint32_t shape, float time_s, vec3 point);
void solid_shape_bounds(const solid_set *set, uint32_t shape, vec3 *min, vec3 *max);

/* Volume (m3), first moments (m4) and second moments (m5). */
typedef struct solid_moments {
    double volume, first[3];
    double second[6]; /* xx yy zz xy xz yz */
} solid_moments;
/* Computes the moments of a body's or soft body's shape from its triangles if it is a closed mesh,
 * in world axes about `origin`. Returns false for all other shapes, whose moments are integrated
 * from distances. */
bool solid_shape_moments(const solid_set *set, uint32_t shape, vec3 origin, solid_moments *moments);
/* Reports whether the shape of a body or soft body is a mesh whose triangles face inwards. */
bool solid_shape_is_inside_out(const solid_set *set, uint32_t shape);
/* Reports whether the shape of a body is a mesh with adjacent triangles that face opposite ways, so
 * that its inside is undefined. */
bool solid_shape_has_mixed_winding(const solid_set *set, uint32_t shape);
/* Reports whether a body's shape contains other meshes, open or part of a Boolean operation. Their
 * mass properties are integrated over volumes with finer cells, and solid_shape_fine_distance
 * returns the distances there. */
bool solid_shape_is_fine(const solid_set *set, uint32_t shape);
float solid_shape_fine_distance(const solid_set *set, uint32_t shape, vec3 point);

/* Returns the node programs, one range of nodes per solid, body and sink:
 * shaders/shared/solid.h. */
gpu_buffer *solid_nodes(const solid_set *set);
gpu_buffer *solid_volumes(const solid_set *set);
/* Returns the items in device memory: one struct solid_item per solid, then per body, then per
 * sink. */
gpu_buffer *solid_items(const solid_set *set);
uint32_t solid_item_count(const solid_set *set);
uint32_t solid_body_first(const solid_set *set);
uint32_t solid_sink_first(const solid_set *set);
/* Returns the value of SOLID_CONSTANT_NESTING that shaders need for the set's items; 0 without a
 * set. */
uint32_t solid_set_nesting(const solid_set *set);
/* Returns the value of SOLID_CONSTANT_MISSING_KINDS; 0 without a set. */
uint32_t solid_set_missing_kinds(const solid_set *set);
/* Reports whether no solid ever moves or changes its shape. */
bool solid_set_is_static(const solid_set *set);

/* The motion of a host-driven object, one entry per object of a list, whether it is host-driven or
 * not. In each frame the object moves at constant velocity to the pose that the host has set. */
typedef struct solid_target {
    /* of the most recent frame: poses at its start and end, and its times */
    scene_pose from, to;
    double from_s, to_s;
    scene_pose wanted;
} solid_target;
solid_target *solid_targets_create(uint32_t count); /* NULL: no memory */
/* Sets the pose at the end of the next frame. */
void solid_target_set(solid_target *all, uint32_t index, const scene_pose *pose);
/* Sets the current pose, regardless of earlier ones. */
void solid_target_teleport(solid_target *all, uint32_t index, const scene_pose *pose);
void solid_targets_begin_frame(solid_target *all, uint32_t count, double start_s, double end_s);
/* Returns the pose at a time within the most recent frame. */
scene_pose solid_target_pose_at(const solid_target *all, uint32_t index, double time_s);

/* Sets the target of a solid with SCENE_MOTION_HOST_DRIVEN: the solid moves from its current pose
 * to `pose` during the next frame, at constant velocity, and stays there. With `jump` it is there
 * when the frame begins. */
void solid_set_target(solid_set *set, uint32_t solid, const scene_pose *pose, bool jump);
/* Begins a frame; call it before querying the frame's poses. */
void solid_set_begin_frame(solid_set *set, double start_s, double end_s);
/* Returns the pose of a host-driven solid at the end of the most recent frame. */
scene_pose solid_set_target_pose(const solid_set *set, uint32_t solid);
/* Sets the current pose of a host-driven solid; the target of the next frame is unchanged. */
void solid_set_restore_target(solid_set *set, uint32_t solid, const scene_pose *pose);

/* Fills `poses`, solid_item_count entries, with the world pose of each item at time_s, the end of a
 * substep, and at time_s - dt_s, its start. Bodies have their pose at the start of the scene. */
struct solid_pose;
void solid_poses_at(const solid_set *set, double time_s, double dt_s, struct solid_pose *poses);

#endif
