/* sim: particle state and the step tables of the solvers. */
#ifndef WEIR_SIM_H
#define WEIR_SIM_H

#include "gpu.h"
#include "grid.h"
#include "scene.h"
#include "weir_body.h"
#include "weir_force.h"
#include "weir_profile.h"
#include "weir_soft.h"

typedef struct sim_world sim_world;

/* The contracts are those of the weir_sim functions in weir.h. `scene` must outlive the world. */
weir_result sim_create(gpu_device *device, const scene_data *scene, sim_world **world);
/* What the engine chooses for itself, set by tests. */
typedef struct sim_choices {
    const grid_capacity *first; /* sizes of buffers, which grow as ever; NULL: the engine's */
    bool compact;               /* lists are compact, also where the engine makes wide ones */
    bool alone;                 /* not a choice of tests: the world of a sim_constraint */
} sim_choices;
weir_result sim_create_chosen(gpu_device *device, const scene_data *scene,
                              const sim_choices *choices, sim_world **world);
void sim_destroy(sim_world **world);
weir_result sim_step(sim_world *world, double seconds);
/* What a step leaves for work on the device, without a wait. The caller makes it of zeros and
 * destroys it by sim_slot_destroy. */
typedef struct sim_slot {
    grid_points points; /* `count` is the most that there can be, has_lambda false */
    uint64_t frame;     /* number of the frame */
    gpu_buffer *counts; /* one struct sim_counts: shaders/shared/sim.h */
    gpu_buffer *bodies; /* struct body_state per body; NULL without any */
    gpu_buffer *softs;  /* struct soft_state per vertex of cloths and ropes; likewise */
} sim_slot;
void sim_slot_destroy(gpu_device *device, sim_slot *slot);
/* sim_step; fills the slot in the same recording, which waits and signals as `submission` says
 * (weir_vulkan.h); either may be NULL. A frame that is repeated leaves the slot as it was. */
weir_result sim_step_into(sim_world *world, double seconds, sim_slot *slot,
                          const struct weir_vulkan_submit *submission);
weir_result sim_wait(sim_world *world);
/* `pointer` NULL: none. */
void sim_set_pointer(sim_world *world, const weir_pointer *pointer);
/* A point of a body. */
typedef struct sim_grip {
    uint32_t body; /* the scene's number of bodies: of none */
    vec3 place;    /* m, from the centre of mass, in axes that turn with the body */
    vec3 position; /* m, in the world after the last finished frame */
} sim_grip;
/* Where a ray meets a body first. Waits. */
struct body_ray;
weir_result sim_pick_body(sim_world *world, const struct body_ray *ray, sim_grip *grip);
/* The place and the motion that weir_body_set gives; the pose is finite. */
typedef struct sim_body_motion {
    scene_pose pose; /* its position is that of the centre of mass */
    vec3 velocity, turning;
} sim_body_motion;
weir_result sim_set_body(sim_world *world, uint32_t body, const sim_body_motion *motion);
/* The frames to come pull the grip to `target`; with a grip of none they do not. */
void sim_drag_body(sim_world *world, const sim_grip *grip, vec3 target);
/* As solid_steer; `poses` has one for each solid of the scene, at the end of the last begun frame.
 */
void sim_steer_solid(sim_world *world, uint32_t solid, const scene_pose *pose, bool jump);
void sim_steered_poses(const sim_world *world, scene_pose *poses);
/* An emitter's opening, and what leaves it. */
typedef struct sim_outlet {
    vec3 position;      /* m */
    vec3 direction, up; /* unit, across each other */
    float speed;        /* m/s */
    bool open;
} sim_outlet;
/* At the end of the last begun frame. */
sim_outlet sim_emitter_get(const sim_world *world, uint32_t emitter);
/* Of one whose motion is SCENE_MOTION_STEERED: it moves there during the next frame, the rest holds
 * from its start on; `jump`: it is there when the frame begins. */
void sim_emitter_set(sim_world *world, uint32_t emitter, const sim_outlet *opening, bool jump);
/* POSITION or VELOCITY, as weir_sim_write. */
weir_result sim_write(sim_world *world, weir_field field, const float *values, size_t size);
/* `jet` NULL: closed. Its fluid is one of the scene's. */
weir_result sim_set_jet(sim_world *world, const weir_jet *jet);
/* `scene` may differ in live numbers only, not in buffers and solids; it must outlive the world. */
weir_result sim_change(sim_world *world, const scene_data *scene);
weir_result sim_count(sim_world *world, uint32_t *count);
weir_result sim_read(sim_world *world, weir_field field, void *out, size_t size);
weir_result sim_stats(sim_world *world, weir_stats *stats);
weir_result sim_hash(sim_world *world, uint64_t *hash);
/* `carried`: bytes of the caller's own that the state carries along; NULL or empty: none. */
weir_result sim_save(sim_world *world, const char *path, const base_blob *carried);
/* *carried, which may be NULL, becomes what the state carried; release with base_blob_free. */
weir_result sim_restore(sim_world *world, const char *path, base_blob *carried);
weir_result sim_row_times(sim_world *world, weir_row_time *times, uint32_t *count);
void sim_row_times_reset(sim_world *world);
weir_result sim_row_repeat(sim_world *world, const char *name, uint32_t repeat,
                           weir_row_time *time);
weir_result sim_explain(sim_world *world, void (*write)(void *user, const char *line), void *user);
weir_result sim_bodies(sim_world *world, weir_body *bodies, uint32_t *count);
/* Does not wait. */
weir_result sim_body_forces(sim_world *world, weir_force *forces, uint32_t *count);
weir_result sim_solid_forces(sim_world *world, weir_force *forces, uint32_t *count);
/* Poses of the bodies' items after the last finished frame: [body_count]. */
weir_result sim_body_poses(sim_world *world, scene_pose *poses);
weir_result sim_softs(sim_world *world, weir_soft *softs, uint32_t *count);
/* Positions of all vertices of cloths and ropes, of a slot or, NULL, after the last finished frame:
 * [sim_soft_vertices]. `softs`: NULL, or what sim_softs gave, whose triangles become those of the
 * slot. Waits. */
uint32_t sim_soft_vertices(const sim_world *world);
/* The mesh that a soft body wears. */
typedef struct sim_skin {
    uint32_t vertex_count, triangle_count; /* 0: it wears none */
    const uint32_t *triangles;             /* three vertices each */
} sim_skin;
sim_skin sim_soft_skin(const sim_world *world, uint32_t soft);
/* Where its vertices go when those of the soft body are at x; what these have, blended. Errors:
 * MEMORY. */
weir_result sim_soft_dress(const sim_world *world, uint32_t soft, const vec3 *x, vec3 *to);
void sim_soft_blend(const sim_world *world, uint32_t soft, const vec3 *of, vec3 *to);
weir_result sim_soft_positions(sim_world *world, const sim_slot *slot, weir_soft *softs,
                               vec3 *positions);
weir_result sim_soft_velocities(sim_world *world, vec3 *velocities);
weir_result sim_gauges(sim_world *world, uint32_t substep, weir_gauge *gauges, uint32_t *count);
weir_result sim_residuals(sim_world *world, uint32_t substep, weir_residual *residuals,
                          uint32_t *count);
/* Copies the particles of the last finished frame into `points`, in the device's order, which is
 * the same for equal states. The caller makes and destroys them by grid_points_create and
 * grid_points_destroy; those that have too little room are made anew. Waits for the frame, not for
 * the copy. Errors: MEMORY and those of sim_wait. */
weir_result sim_points(sim_world *world, grid_points *points);
/* Sets the slot's count to that which the device has written; *whole: at the end of a frame. Waits.
 */
weir_result sim_slot_read(gpu_device *device, sim_slot *slot, bool *whole);
/* Poses of the bodies' items in a slot: [body_count]. Waits. */
weir_result sim_slot_poses(sim_world *world, const sim_slot *slot, scene_pose *poses);
/* Adds lambda to points that were copied since the last step was begun. Errors: MEMORY and those of
 * sim_wait. */
weir_result sim_points_lambda(sim_world *world, grid_points *points);
/* What one row of the next frame's first substep writes for each particle, or for each cell of the
 * MAC grid. */
typedef struct sim_inspection {
    const char *row, *group;
    const char *shown; /* what the values are; NULL: nothing for each particle, all 0 */
    uint32_t row_count, count;
    float spacing_m; /* of the particles, or a cell's edge */
    vec3 *positions; /* [count], m: of the cells, their middles */
    float *values;   /* [count], finite */
    float low, high; /* of the values */
} sim_inspection;
/* The state of the simulation stays the same. Release with sim_inspection_free. */
weir_result sim_inspect(sim_world *world, uint32_t row, sim_inspection *out);
void sim_inspection_free(sim_inspection *inspection);
/* weir_sim_slice; release with sim_slice_free. */
weir_result sim_slice(sim_world *world, weir_slice_of of, uint32_t axis, float position_m,
                      weir_slice **out);
void sim_slice_free(weir_slice **slice);
const scene_data *sim_scene(const sim_world *world);
const struct solid_set *sim_solids(const sim_world *world);

/* What a scene will need, without making it: for `weir check`. With a device that has room for
 * them the fluids are filled and counted, else the boxes of their shapes bound the number. */
typedef struct sim_needs {
    bool counted;
    uint64_t particles; /* at the start; emitters add up to emitted_max */
    uint64_t emitted_max;
    uint64_t device_bytes;
    uint64_t frame_bytes; /* of one PLY frame with position, velocity and id */
    uint32_t frames;
    double depth_m;         /* of the fluid at the start, along gravity; 0: not known */
    double compression;     /* predicted at its floor, a fraction; 0 where there is a MAC grid */
    uint32_t firm_substeps; /* of a frame, with which it stays below 1 % */
} sim_needs;
weir_result sim_estimate(const weir_log *log, const scene_data *scene, gpu_device *device,
                         sim_needs *needs);

#endif
