/* body: owns the rigid bodies of a scene: their mass properties, states and contacts. Fluid
 * collides with them as with solids: they are items of the solid set, and the substep writes their
 * poses. */
#ifndef WEIR_BODY_H
#define WEIR_BODY_H

#include "gpu.h"
#include "scene.h"
#include "solid.h"

#include "shared/body.h"

typedef struct body_set body_set;

/* Mass properties of a body, computed from its shape. */
typedef struct body_mass_properties {
    double mass_kg, volume_m3, density; /* kg/m3 */
    vec3 centre;                        /* centre of mass at the start, m */
    uint32_t samples;                   /* surface points at which contacts are searched for */
} body_mass_properties;

/* Measures the scene's bodies and creates their buffers and pipelines. `device` and `scene` must
 * outlive the set. Errors: SCENE (a body that encloses no volume, is thinner than a spacing, or
 * overlaps a wall or another body at the start), MEMORY. */
weir_result body_set_create(gpu_device *device, const scene_data *scene, const solid_set *solids,
                            body_set **set);
void body_set_destroy(gpu_device *device, body_set **set);
/* Checks and measures the bodies without creating device buffers. `mass_properties` [body_count].
 */
weir_result body_compute_mass_properties(const weir_log *log, const scene_data *scene,
                                         const solid_set *solids,
                                         body_mass_properties *mass_properties);
const body_mass_properties *body_set_mass_properties(const body_set *set);

/* Returns the bodies' initial states, one per body. */
const struct body_state *body_set_initial_states(const body_set *set);

/* Device buffers by name and by binding number: shaders/shared/body_buffers.def. Those of other
 * modules are NULL. */
typedef union body_buffers {
    struct {
#define BUFFER(name, type, count, contents) gpu_buffer *name;
#define EXTERNAL(name, type, amount, owner) gpu_buffer *name;
#include "shared/body_buffers.def"
    };
    gpu_buffer *all[BODY_BINDINGS];
} body_buffers;
const body_buffers *body_set_buffers(const body_set *set);

/* Cells of the broad phase, each of which lists the bodies near it: shaders/shared/body.h. */
typedef struct body_broad_phase {
    uint32_t count[3], words; /* words: per cell */
    float edge_m;
} body_broad_phase;
body_broad_phase body_set_broad_phase(const body_set *set);

/* Return a body's angular velocity, rad/s, and the angular momentum, kg m2/s, of the angular
 * velocity `turning`. */
vec3 body_angular_velocity(const body_set *set, uint32_t body, const struct body_state *state);
vec3 body_angular_momentum(const body_set *set, uint32_t body, quat rotation, vec3 turning);
/* Returns an upper bound of the speed of any point of the body, m/s. */
float body_max_point_speed(const body_set *set, uint32_t body, const struct body_state *state);
/* Returns the body's kinetic energy, J. */
double body_kinetic_energy(const body_set *set, uint32_t body, const struct body_state *state);
/* The solids and bodies of a scene at one time. */
typedef struct body_scene_state {
    const solid_set *solids;
    const struct body_state *states;
    double time_s;
} body_scene_state;
/* Rejects a body that overlaps a wall or another body in `world`. Errors: ARGUMENT, MEMORY. */
weir_result body_check_pose(const body_set *set, const weir_log *log, const body_scene_state *world,
                            uint32_t body);
/* Returns the distance of p from a body's surface, m, negative inside. Beyond one spacing the
 * result is a lower bound. */
float body_surface_distance(const body_set *set, const solid_set *solids,
                            const struct body_state *state, uint32_t body, vec3 p);
/* Clears the cached forces of a body's contacts. `holds` is a copy of the cached-force buffer. */
void body_clear_cached_forces(const body_set *set, uint32_t body,
                              struct body_cached_force *cached_forces);
/* Return the pose of a body's item, from item space to world space: for a centre of mass at
 * `position`, or for the state of a body of the set. */
scene_pose body_pose_from_centre(const body_mass_properties *mass_properties, vec3 position,
                                 quat rotation);
scene_pose body_pose(const body_set *set, uint32_t body, const struct body_state *state);

typedef struct body_ray {
    vec3 origin, direction; /* direction: unit vector */
} body_ray;
/* Returns the first body that a ray hits, or BODY_NONE. *place receives the hit point, relative to
 * the centre of mass, in axes that turn with the body. `states` has the state of every body. */
uint32_t body_set_pick(const body_set *set, const solid_set *solids,
                       const struct body_state *states, const body_ray *ray, vec3 *place);

/* The simulation's buffers that the body shaders bind: shaders/shared/body.h. */
typedef struct body_bindings {
    gpu_buffer *params, *state, *status, *poses;
    const solid_set *solids;
} body_bindings;

/* Each of the following functions appends passes and returns their number. */
#define BODY_SOLVE_PASSES 12u
/* Integrates the bodies, warm-starts their contacts and fills the broad-phase cells. Run before the
 * fluid's prediction. The particle queues are empty afterwards. */
uint32_t body_begin_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes);
/* Refills the broad-phase cells and empties the particle queues. Run after bodies have moved,
 * before the next pass that reads the cells. */
uint32_t body_broad_phase_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes);
/* Adds the impulses that fluid has given the bodies since they last moved to the fluid impulses of
 * the substep. Run after the last pass that adds fluid impulses, before the bodies move by them. */
uint32_t body_fluid_impulse_passes(const body_set *set, const body_bindings *binds,
                                   gpu_pass *passes);
/* Finds and solves the contacts of bodies, BODY_SOLVE_PASSES passes. Run after each iteration of
 * the fluid. */
uint32_t body_solve_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes);
/* Moves the bodies by their accumulated impulses, which only BODY_MAX_ROTATION limits. Run after
 * the grid's pressure, or the particles of a whole substep, have acted on the bodies. */
uint32_t body_apply_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes);
/* Finalizes the bodies' states and stores the contact forces for the next warm start. Run when the
 * substep is complete. */
uint32_t body_end_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes);
/* Returns the pass that applies the mouse joint. Run it once at the start of a frame. */
gpu_pass body_mouse_joint_pass(const body_set *set, const body_bindings *binds);

#endif
