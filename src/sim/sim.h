/* sim: owns the state of a simulation and advances it frame by frame with the scene's solver. */
#ifndef WEIR_SIM_H
#define WEIR_SIM_H

#include "gpu.h"
#include "grid.h"
#include "scene.h"
#include "weir/bodies.h"
#include "weir/deformables.h"
#include "weir/points.h"
#include "weir/profile.h"

typedef struct sim_world sim_world;

/* Each function keeps the contract of its weir_sim_ counterpart in src/include/weir. `scene` must
 * outlive the world. */
weir_result sim_create(gpu_device *device, const scene_data *scene, sim_world **world);
/* Overrides choices of sim_create; for tests. */
/* A state from which a simulation starts, in place of the scene's fills. */
typedef struct sim_start {
    const char *name; /* of the state, for messages */
    uint32_t count;
    const float *position;                   /* [3 * count] m, finite */
    const float *velocity;                   /* [3 * count] m/s, finite; NULL: at rest */
    const uint32_t *id;                      /* [count]; NULL: new ids */
    const uint32_t *fluid;                   /* [count] index of the fluid in the scene; NULL: 0 */
    const weir_attribute_values *attributes; /* [attribute_count]; those of the scene are used */
    uint32_t attribute_count;
    /* [body_count] of the scene; NULL: as in the scene. Those without `known` start as in the
     * scene. */
    const struct sim_start_body *bodies;
    uint64_t frame;
    double time_s;
    bool remove_inside; /* removes particles in solids and bodies instead of moving them out */
} sim_start;

typedef struct sim_create_options {
    /* Initial sizes of the buffers, which still grow; NULL: chosen by sim_create. */
    const grid_capacity *initial_capacity;
    /* Uses compact neighbour lists even if sim_create would choose wide ones. */
    bool compact_lists;
    /* Not for tests: set for the world of a sim_density_solver. */
    bool standalone;
    const sim_start *start;            /* NULL: the scene's fills */
    const struct sim_ranks_def *ranks; /* NULL: a single rank */
} sim_create_options;
weir_result sim_create_with_options(gpu_device *device, const scene_data *scene,
                                    const sim_create_options *options, sim_world **world);
void sim_destroy(sim_world **world);
weir_result sim_step(sim_world *world, double seconds);
/* Copy of the state after a frame, for passes that read it on the device while the host goes on
 * without waiting. The caller zero-initializes it and releases it with sim_snapshot_destroy. */
typedef struct sim_snapshot {
    /* `count` is an upper bound until sim_snapshot_read_count; has_lambda is false. */
    particle_view points;
    uint64_t frame;          /* number of the frame */
    gpu_buffer *counts;      /* one struct sim_snapshot_args: shaders/shared/sim.h */
    gpu_buffer *bodies;      /* struct body_state per body; NULL without any */
    gpu_buffer *deformables; /* struct deformable_state per vertex; NULL without any */
} sim_snapshot;
void sim_snapshot_destroy(gpu_device *device, sim_snapshot *snapshot);
/* Runs sim_step and fills the snapshot in the same recording, which waits and signals as
 * `submission` specifies (weir/vulkan.h); either may be NULL. A replayed frame leaves the snapshot
 * unchanged. */
weir_result sim_step_with_snapshot(sim_world *world, double seconds, sim_snapshot *snapshot,
                                   const struct weir_vulkan_submit *submission);
weir_result sim_wait(sim_world *world);
/* Sets the ray force; NULL removes it. */
void sim_set_ray_force(sim_world *world, const weir_ray_force *ray_force);
/* Identifies a point of a body. */
typedef struct sim_body_grab {
    uint32_t body;    /* index; the scene's number of bodies means none */
    vec3 local_point; /* m, from the centre of mass, in axes that turn with the body */
    vec3 position;    /* m, in the world after the last finished frame */
} sim_body_grab;
/* Finds the first body that a ray hits. Waits. */
struct body_ray;
weir_result sim_pick_body(sim_world *world, const struct body_ray *ray, sim_body_grab *grab);
/* Pose and velocities that weir_sim_set_body sets; the pose is finite. */
typedef struct sim_body_motion {
    scene_pose pose; /* its position is the centre of mass */
    vec3 velocity, angular_velocity;
} sim_body_motion;
weir_result sim_set_body(sim_world *world, uint32_t body, const sim_body_motion *motion);
/* Motion of a body in a state from which a simulation starts. */
typedef struct sim_start_body {
    bool known;
    sim_body_motion motion;
} sim_start_body;
/* Makes later frames pull the grabbed point to `target`. A grab of no body removes the joint. */
void sim_set_mouse_joint(sim_world *world, const sim_body_grab *grab, vec3 target);
/* Sets a solid's target pose, with the contract of solid_set_target. sim_host_driven_poses writes
 * one pose per solid of the scene, at the end of the last frame begun. */
void sim_set_solid_pose(sim_world *world, uint32_t solid, const scene_pose *pose, bool teleport);
void sim_host_driven_poses(const sim_world *world, scene_pose *poses);
/* Describes an emitter's opening and the speed of the fluid that leaves it. */
typedef struct sim_emitter_opening {
    vec3 position;      /* m */
    vec3 direction, up; /* unit vectors, perpendicular */
    float speed;        /* m/s */
    bool open;
} sim_emitter_opening;
/* Returns the emitter's opening at the end of the last frame begun. */
sim_emitter_opening sim_get_emitter_opening(const sim_world *world, uint32_t emitter);
/* Sets the opening of an emitter whose motion is SCENE_MOTION_HOST_DRIVEN. The emitter moves there
 * during the next frame; speed and `open` apply from the frame's start. `teleport`: the emitter is
 * there when the frame begins. */
void sim_set_emitter_opening(sim_world *world, uint32_t emitter, const sim_emitter_opening *opening,
                             bool teleport);
/* Writes POSITION or VELOCITY, with the contract of weir_sim_write_field. */
weir_result sim_write_field(sim_world *world, weir_field field, const float *values, size_t size);
/* Read and write an attribute, with the contracts of weir_sim_read_attribute and
 * weir_sim_write_attribute. */
weir_result sim_read_attribute(sim_world *world, const char *name, float *out, size_t size);
weir_result sim_write_attribute(sim_world *world, const char *name, const float *values,
                                size_t size);
/* Sets the hose; NULL closes it. Its fluid is one of the scene's. */
weir_result sim_set_hose(sim_world *world, const weir_hose *hose);
/* Applies a scene that differs from the current one in live values only, not in buffers or solids.
 * `scene` must outlive the world. */
weir_result sim_apply_scene(sim_world *world, const scene_data *scene);
weir_result sim_particle_count(sim_world *world, uint32_t *count);
weir_result sim_read_field(sim_world *world, weir_field field, void *out, size_t size);
weir_result sim_stats(sim_world *world, weir_stats *stats);
/* Returns the time of the last completed frame, s. */
double sim_completed_time_s(const sim_world *world);
/* Returns the time at the end of the last frame begun, s; it may not be completed. */
double sim_begun_time_s(const sim_world *world);
weir_result sim_hash(sim_world *world, uint64_t *hash);
/* Returns the hash of a state in the order of ids. */
struct sim_host_state;
uint64_t sim_hash_state(const sim_world *world, const struct sim_host_state *state, uint32_t count);
/* Writes a checkpoint. `carried`: the caller's own bytes to store in it; NULL or empty: none. */
weir_result sim_save(sim_world *world, const char *path, const base_blob *carried);
/* The same for particles that the caller has downloaded in the order of ids; for ranks. */
struct sim_host_state;
typedef struct sim_saved_particles {
    const struct sim_host_state *state;
    uint32_t count;
} sim_saved_particles;
weir_result sim_save_state(sim_world *world, const sim_saved_particles *particles, const char *path,
                           const base_blob *carried);
/* Reads a checkpoint. *carried receives the bytes that sim_save stored; `carried` may be NULL.
 * Release them with base_blob_free. */
weir_result sim_restore(sim_world *world, const char *path, base_blob *carried);
weir_result sim_pass_times(sim_world *world, weir_pass_time *times, uint32_t *count);
void sim_pass_times_reset(sim_world *world);
weir_result sim_time_repeated_pass(sim_world *world, const char *name, uint32_t repeat,
                                   weir_pass_time *time);
/* Describe the pass lists of a frame; dispatches, neighbour lists and memory. */
void sim_explain_passes(const sim_world *world, gpu_explainer *e);
void sim_explain_totals(const sim_world *world, gpu_explainer *e);
weir_result sim_bodies(sim_world *world, weir_body *bodies, uint32_t *count);
/* Copies the forces on bodies. Does not wait. */
weir_result sim_body_forces(sim_world *world, weir_force *forces, uint32_t *count);
weir_result sim_solid_forces(sim_world *world, weir_force *forces, uint32_t *count);
/* Writes the poses of the bodies' scene items after the last finished frame: [body_count]. */
weir_result sim_body_poses(sim_world *world, scene_pose *poses);
weir_result sim_deformables(sim_world *world, weir_deformable *deformables, uint32_t *count);
/* Returns the number of vertices of all deformables. */
uint32_t sim_deformable_vertex_count(const sim_world *world);
/* The mesh that is skinned to a soft body. */
typedef struct sim_skinned_mesh {
    uint32_t vertex_count, triangle_count; /* 0: no mesh */
    const uint32_t *triangles;             /* three vertex indices each */
} sim_skinned_mesh;
sim_skinned_mesh sim_deformable_skin(const sim_world *world, uint32_t deformable);
/* sim_skin_positions computes the positions of the mesh's vertices for soft-body vertices at x.
 * sim_skin_interpolate blends a quantity of the soft body's vertices for each vertex of the mesh.
 * Errors: MEMORY. */
weir_result sim_skin_positions(const sim_world *world, uint32_t deformable, const vec3 *x,
                               vec3 *to);
void sim_skin_interpolate(const sim_world *world, uint32_t deformable, const vec3 *of, vec3 *to);
/* Write the positions, m, or the velocities, m/s, of all deformable vertices:
 * [sim_deformable_vertex_count]. Positions are those of the snapshot or, if it is NULL, of the last
 * finished frame. `deformables` is NULL or an array that sim_deformables has filled; its triangles
 * and segments are replaced by the snapshot's. Wait. */
weir_result sim_deformable_positions(sim_world *world, const sim_snapshot *snapshot,
                                     weir_deformable *deformables, vec3 *positions);
weir_result sim_deformable_velocities(sim_world *world, vec3 *velocities);
weir_result sim_gauges(sim_world *world, uint32_t substep, weir_gauge *gauges, uint32_t *count);
weir_result sim_residuals(sim_world *world, uint32_t substep, weir_residual *residuals,
                          uint32_t *count);
/* Copies the particles of the last finished frame into `points`, in the device's order, which is
 * the same for equal states. The caller makes and destroys them by particle_view_create and
 * particle_view_destroy; a view with too little room is recreated. Waits for the frame, not
 * for the copy. Errors: MEMORY and those of sim_wait. */
weir_result sim_copy_points(sim_world *world, particle_view *points);
/* Sets the snapshot's count to the number of particles that the device has written. *complete
 * receives whether the snapshot holds the end of a finished frame. Waits. */
weir_result sim_snapshot_read_count(gpu_device *device, sim_snapshot *snapshot, bool *complete);
/* Writes the poses of the bodies' scene items in a snapshot: [body_count]. Waits. */
weir_result sim_snapshot_body_poses(sim_world *world, const sim_snapshot *snapshot,
                                    scene_pose *poses);
/* Adds lambda to points that were copied since the last step began. Errors: MEMORY and those of
 * sim_wait. */
weir_result sim_copy_lambda(sim_world *world, particle_view *points);
/* Holds what one pass of the next frame's first substep writes for each particle, or for each MAC
 * cell. */
typedef struct sim_inspection {
    const char *pass, *group;
    const char *shown; /* names the values; NULL: no value per particle, all are 0 */
    uint32_t pass_count, count;
    float spacing_m; /* of the particles, or edge of a MAC cell */
    vec3 *positions; /* [count], m; of MAC cells the centres */
    float *values;   /* [count], finite */
    float low, high; /* range of the values */
} sim_inspection;
/* Inspects a pass without changing the simulation's state. Release with sim_inspection_free. */
weir_result sim_inspect(sim_world *world, uint32_t pass, sim_inspection *out);
void sim_inspection_free(sim_inspection *inspection);
/* Implements weir_sim_create_slice; release with sim_slice_free. */
weir_result sim_slice(sim_world *world, weir_slice_quantity of, uint32_t axis, float position_m,
                      weir_slice **out);
void sim_slice_free(weir_slice **slice);
const scene_data *sim_scene(const sim_world *world);
const struct solid_set *sim_solids(const sim_world *world);

/* Estimates, for `weir check`, what a scene needs, without creating it. With a device that has
 * room for the fluids, they are filled and counted; otherwise the bounding boxes of their shapes
 * bound the number. */
typedef struct sim_scene_estimate {
    bool exact;
    uint64_t particles; /* at the start; emitters add up to max_emitted */
    uint64_t max_emitted;
    uint64_t device_bytes;
    uint64_t frame_bytes; /* of one PLY frame with position, velocity and id */
    uint32_t frames;
    double depth_m;     /* of the fluid at the start, along gravity; 0: unknown */
    double compression; /* predicted at the floor of the fluid, a fraction; 0 with a MAC grid */
    uint32_t recommended_substeps; /* per frame; they keep the compression below 1 % */
} sim_scene_estimate;
weir_result sim_estimate(const weir_log *log, const scene_data *scene, gpu_device *device,
                         sim_scene_estimate *needs);

#endif
