/* sim_internal: defines the state of a simulation and declares the functions that its files share.
 */
#ifndef WEIR_SIM_INTERNAL_H
#define WEIR_SIM_INTERNAL_H

#include "sim.h"
#include "sim_scene.h"
#include "solid.h"

#include "body.h"
#include "deformable.h"
#include "poisson.h"

#include "sim/shaders.h"

#include "shared/body.h"
#include "shared/deformable.h"
#include "shared/grid.h"
#include "shared/sim.h"
#include "shared/solid.h"

#define SIM_NEAR_UPDATE_INTERVAL \
    4u /* iterations between updates of the flags "near a boundary or body" */
#define SIM_FRAMES_IN_FLIGHT 2u           /* maximum number of pending frames */
#define SIM_DEFORMABLE_PASS_CAPACITY 640u /* of deformables, per substep */
#define SIM_PASS_CAPACITY (220u + SIM_DEFORMABLE_PASS_CAPACITY) /* of one substep */
#define SIM_END_PASS_CAPACITY 12u
#define SIM_HOSE_RADIUS_SPACINGS 3.2f /* radius of the hose, in spacings */
/* Upper bound of a valid speed, m/s, and of a valid velocity gradient, 1/s. */
#define SIM_SPEED_MAX 1e9f
#define SIM_MAX_EMISSIONS 4096u /* layers that one frame can release */

/* Device buffers, named and documented in shaders/shared/sim_buffers.def. An alias is another name
 * of the same buffer. */
typedef union sim_buffers {
    struct {
#define BUFFER(name, type, count) gpu_buffer *name;
#define ALIAS(name, type, buffer) gpu_buffer *name;
#include "shared/sim_buffers.def"
    };
    gpu_buffer *all[SIM_BUFFERS]; /* by binding number */
} sim_buffers;

/* Selects the part of the world with which a buffer is created and destroyed. */
typedef enum sim_lifetime {
    SIM_WITH_WORLD,
    SIM_WITH_EMITTERS,
    SIM_WITH_CELLS,
    SIM_WITH_PARTICLES,
    SIM_WITH_UNKNOWNS, /* of the viscous solve; created with the particles or, on a grid, the cells
                        */
    SIM_WITH_GIVEN,    /* a caller's particles: constraint.c */
    SIM_LIFETIMES
} sim_lifetime;

/* Input of one frame, in host memory. It is kept until the frame is complete, because a frame may
 * be replayed. */
typedef struct sim_frame_input {
    struct sim_params params;
    struct sim_ray_force ray_force;
    struct body_mouse_joint mouse_joint;
    struct sim_emitter hose;
    struct sim_emission emissions[SIM_MAX_EMISSIONS];
    struct sim_emitter moving_emitters[]; /* [sim_moving_layer_capacity], one for each layer of an
                                             emitter that moves */
} sim_frame_input;

typedef struct sim_frame_result {
    struct sim_status status;
    struct sim_statistics sums;
    struct grid_state state;
} sim_frame_result;

/* Lists a frame's buffers in host memory: name and bytes. */
#define SIM_FRAME_BUFFERS(BUFFER)                                                                 \
    BUFFER(input, sizeof(sim_frame_input) +                                                       \
                      sim_moving_layer_capacity(world->scene) * sizeof(struct sim_emitter))       \
    BUFFER(result, sizeof(sim_frame_result))                                                      \
    BUFFER(poses, sim_pose_count(world) * sizeof(struct solid_pose)) /* like sim_buffers.poses */ \
    BUFFER(bodies, sim_body_bytes(world)) /* struct body_state per body */                        \
    BUFFER(fluid_impulses,                                                                        \
           sim_fluid_impulse_bytes(world))             /* struct body_fluid_impulse per body */   \
    BUFFER(solid_forces, sim_solid_force_bytes(world)) /* like sim_buffers.solid_forces */        \
    BUFFER(deformables, sim_deformable_bytes(world))   /* struct deformable_state per vertex */   \
    BUFFER(readings, sim_reading_bytes(world))         /* like sim_buffers.gauge_readings */      \
    BUFFER(errors, sim_residual_bytes(world)) /* like sim_buffers.density_errors, per substep */

typedef struct sim_frame {
    bool pending;
    uint64_t ticket;
    uint64_t number;
    double start_s, seconds;
    uint32_t recorded_substeps;
    uint32_t emission_count, moving_count;
    float emitted_speed;          /* sim_params */
    bool has_ray_force, has_hose; /* a ray force acts; the hose is open */
    bool has_mouse_joint;         /* a mouse joint drags a body */
    sim_snapshot *snapshot;       /* filled when the frame is first recorded; NULL: none */
    const struct weir_vulkan_submit *submission; /* of the first recording; NULL: none */
    bool host_submitted;                         /* the host program submits the frame */
    double gpu_ms, record_ms;
#define BUFFER(name, bytes) gpu_buffer *name;
    SIM_FRAME_BUFFERS(BUFFER)
#undef BUFFER
} sim_frame;

/* Buffers for reading fields in order of id; created by the first read. */
typedef struct sim_id_order {
    gpu_buffer *bits, *ranks, *sums; /* shaders/shared/sim.h; of the scan */
    gpu_buffer *order;               /* uint per particle */
    bool valid;                      /* `order` matches the current state */
    gpu_buffer *packed;              /* uint[3] per particle, in host memory */
    grid_scan *scan;
} sim_id_order;

typedef struct sim_emitter_state {
    uint32_t site_count, first_site;
    uint64_t next_layer; /* layers released or not emitted so far */
    uint64_t emitted;    /* particles */
} sim_emitter_state;

/* Opening of a host-driven emitter. */
typedef struct sim_driven_emitter {
    bool overridden; /* set by the host: the scene's times and speed no longer apply */
    bool open;
    float speed;       /* m/s */
    double origin_s;   /* when the first of all layers would have left at this speed */
    solid_target path; /* position, and rotation from the scene's direction */
} sim_driven_emitter;

/* Emitter after those of the scene, which the host program moves, opens and closes. */
typedef struct sim_hose {
    bool was_opened; /* it has been opened, so the pass list emits particles */
    bool open;
    double next_layer_s, layer_interval_s; /* time of the next layer; time between layers */
    struct sim_emitter emitter;
} sim_hose;

typedef struct sim_file_hash {
    const char *path; /* of the scene; of a sequence its pattern */
    uint64_t hash;    /* of the bytes, of all files of a sequence */
} sim_file_hash;

struct sim_world {
    gpu_device *device;
    const weir_log *log;
    const scene_data *scene;
    solid_set *solids;
    body_set *bodies;                     /* NULL without any */
    deformable_set *deformables;          /* NULL without any */
    bool standalone;                      /* belongs to a sim_density_solver */
    bool external_lists, external_masses; /* standalone: the caller provides them */
    uint32_t external_neighbours;         /* standalone: capacity, in list entries */
    grid *grid;
    poisson
        *pressure_grid; /* of the long-range correction, or of the MAC grid; NULL without either */
    gpu_pipeline *pipelines[SIM_SHADERS];
    sim_buffers buffers;
    struct sim_params params;            /* of the next frame */
    struct sim_ray_force ray_force;      /* of the next frame; acceleration 0: none */
    struct body_mouse_joint mouse_joint; /* of the next frame */
    bool has_mouse_joint;                /* a mouse joint drags a body */
    bool externally_driven;              /* by a ray force, a mouse joint or written velocities */
    gpu_pass passes[SIM_PASS_CAPACITY], begin_pass, end_passes[SIM_END_PASS_CAPACITY];
    uint32_t pass_count, end_pass_count, emit_pass; /* emit_pass: UINT32_MAX without emitters */
    gpu_timers *begin_timers, *timers, *end_timers;
    sim_frame frames[SIM_FRAMES_IN_FLIGHT];
    uint64_t frames_begun, frames_done; /* since creation or restore */
    uint64_t replays;                   /* since creation */
    bool lists_valid;                   /* the neighbour lists match the current particles */
    bool densities_valid;               /* sim_measure_densities has run */
    double time_s;                      /* at the end of the last frame begun */
    uint64_t frame;                     /* number of the last frame begun */
    uint32_t next_id;
    sim_emitter_state *emitters;         /* of the scene, then of the hose */
    sim_driven_emitter *driven_emitters; /* per emitter of the scene; NULL if none is host-driven */
    sim_hose hose;
    sim_id_order id_order;
    sim_frame_result last_result;   /* of the last complete frame */
    uint32_t overcompressed_frames; /* complete ones above WEIR_OVERCOMPRESSION, since the start */
    BASE_ARRAY(sim_file_hash) file_hashes; /* that the scene reads */
    double last_time_s;
    uint64_t force_frame;           /* frame of body_fluid_impulses; 0: none has finished */
    vec4 *solid_forces;             /* of force_frame, like sim_buffers.solid_forces */
    vec3 *solid_positions;          /* positions of the solids at the end of force_frame */
    struct body_state *body_states; /* of the last complete frame; NULL without bodies */
    struct body_fluid_impulse *body_fluid_impulses; /* of the last complete frame */
    struct deformable_state
        *deformable_states;        /* of the last complete frame: per vertex, then flags */
    uint32_t *deformable_elements; /* three per facet: triangles and edges of ropes, as last read */
    vec4 *readings;                /* of the last complete frame, like sim_buffers.gauge_readings */
    uint32_t *errors;              /* of the last complete frame, like sim_frame.errors */
    double gpu_ms, record_ms;      /* of the last complete frame */
    weir_result failed;            /* not OK: the device holds no whole state until a restore */
    bool unstable; /* too many particles are lost, or the fluid has collapsed; until a restore */
    double mass_kg, start_kinetic_j, start_energy_j; /* of the fill */
    bool warned_of_speed, warned_of_viscosity, warned_of_tolerance, warned_of_full_domain;
    bool warned_of_bodies;
    uint32_t domain_capacity; /* particles that a closed domain holds; UINT32_MAX: unknown or
                                 irrelevant */
    bool has_pressure_grid;   /* of either kind */
    double fluid_depth_m;     /* height of the fluid along gravity at the start */
    double stiffness;         /* D h^2 of the rest lattice, for the hydrostatic law */
    double lattice_sum;       /* S0 */
    uint64_t memory_before;
};

/* ---- parts of a world ----------------------------------------------------------------------- */

/* Computes the factors of the smoothing kernels and the lattice sums from the scene
 * (docs/equations.md). */
void sim_params_fill(sim_world *world);
/* Sets gravity to its value at a time. */
void sim_update_gravity(sim_world *world, double time_s);
/* Returns the factor of a pair's viscous force, kg/(m3 s), for a viscosity in Pa s. */
float sim_viscous_coefficient(const sim_world *world, float viscosity);
/* The cells of the long-range correction or of the MAC grid. The choice takes the depth and the
 * parameters and fills in those of cells. Errors: ARGUMENT for too many cells. */
void sim_pressure_grid_choose(sim_world *world);
weir_result sim_pressure_grid_create(sim_world *world);
uint64_t sim_pressure_grid_bytes(const sim_world *world); /* of device memory; 0 without cells */
/* Enlarges the grid's buffers to `blocks` blocks; their contents are lost. */
weir_result sim_pressure_grid_grow(sim_world *world, uint32_t blocks);

/* Create, destroy and size the buffers of the lifetime `with`, for the world's current sizes. */
weir_result sim_buffers_create(sim_world *world, sim_lifetime with);
void sim_buffers_destroy(sim_world *world, sim_lifetime with);
uint64_t sim_buffers_bytes(const sim_world *world, sim_lifetime with);
/* Creates the particles' buffers for `capacity` particles. */
weir_result sim_particle_buffers_create(sim_world *world, uint32_t capacity);
/* Creates the host buffers of all frames. */
weir_result sim_frame_buffers_create(sim_world *world);
void sim_frame_buffers_destroy(sim_world *world);
/* Create a device buffer of `count` elements of `stride` bytes, or a buffer in host memory. */
weir_result sim_buffer_create(sim_world *world, const char *name, uint32_t stride, uint64_t count,
                              gpu_buffer **buffer);
weir_result sim_host_buffer_create(sim_world *world, const char *name, uint64_t bytes,
                                   gpu_buffer **buffer);
uint64_t sim_pose_count(const sim_world *world); /* of items, in all substeps of a frame */
/* Faces of the MAC grid's cells, or particles, whose velocities viscosity solves for; 0: none. */
uint64_t sim_unknown_count(const sim_world *world);
/* Enlarges the buffers of the viscous solve after a fluid has become viscous. */
weir_result sim_viscous_buffers_grow(sim_world *world);
weir_result sim_gauges_create(sim_world *world);
void sim_gauges_destroy(sim_world *world);
uint64_t sim_reading_bytes(const sim_world *world);  /* of a frame */
uint64_t sim_residual_bytes(const sim_world *world); /* of a frame; 0 without residuals */
/* Creates the emitters' sites and buffers. */
weir_result sim_emitters_create(sim_world *world);
struct sim_emitter sim_emitter_from_scene(const scene_emitter *emitter, float d,
                                          uint32_t first_site);
/* Returns the maximum number of layers that moving emitters release in a frame; 0: none moves. */
uint32_t sim_moving_layer_capacity(const scene_data *scene);
bool sim_emitter_is_moving(const scene_emitter *emitter);
weir_result sim_driven_emitters_create(sim_world *world);
/* Moves the host-driven emitters through a frame; call it before planning the frame's layers. */
void sim_driven_emitters_begin(sim_world *world, double start_s, double end_s);
/* Returns NULL if the emitter is not host-driven. */
const sim_driven_emitter *sim_find_driven_emitter(const sim_world *world, uint32_t emitter);
/* Returns the emitter at `time_s`, within the frame from span[0] to span[1]. */
struct sim_emitter sim_emitter_at_time(const sim_world *world, uint32_t emitter, double time_s,
                                       const double span[2]);
/* Their part of a saved state, one for each emitter; empty if none is host-driven. */
typedef struct sim_saved_driven_emitter {
    scene_pose pose;
    float speed;
    uint32_t overridden, open, unused;
    double origin_s;
} sim_saved_driven_emitter;
uint64_t sim_driven_emitter_bytes(const sim_world *world);
void sim_driven_emitters_save(const sim_world *world, sim_saved_driven_emitter *saved);
/* Bytes that need no alignment. */
bool sim_driven_emitters_valid(const sim_world *world, const void *saved);
void sim_driven_emitters_restore(sim_world *world, const void *saved);

/* Creates the pipelines that no table names. Those of the tables are created with their passes, so
 * that a scene waits only for the pipelines that it uses. */
weir_result sim_pipelines_create(sim_world *world);
weir_result sim_require_pipeline(sim_world *world, int shader);
/* Enlarges the grid; the pass list must then be rebuilt. */
weir_result sim_grid_grow(sim_world *world, grid_capacity capacity);
void sim_pipelines_destroy(sim_world *world);
/* Returns whether particles carry the velocity gradient (APIC). */
bool sim_is_apic(const sim_world *world);
/* Returns whether a substep reads the velocities of neighbours. */
bool sim_needs_neighbour_velocities(const sim_world *world);
/* Returns the pass of a shader with all its bindings. */
gpu_pass sim_make_pass(const sim_world *world, int shader, gpu_dispatch_size dispatch_size);
/* Rebuilds the pass list after buffers or pipelines have changed. */
weir_result sim_build_passes(sim_world *world);
/* Particles that a planned frame adds, at most. */
uint32_t sim_frame_emitted_count(const sim_frame *frame);
/* Makes room in a slot for as many particles as there is room for; later says how many the planned
 * frame can leave. */
weir_result sim_snapshot_reserve(sim_world *world, sim_snapshot *snapshot);
void sim_snapshot_set_max_count(const sim_world *world, const sim_frame *frame,
                                sim_snapshot *snapshot);
/* Records what fills the frame's slot. */
weir_result sim_snapshot_record(sim_world *world, const sim_frame *frame);
/* The row that lets the frame's pointer act, once at its start. */
gpu_pass sim_ray_force_pass(const sim_world *world);
/* Likewise the row of the hand. */
gpu_pass sim_mouse_joint_pass(const sim_world *world);

void sim_id_order_destroy(sim_world *world);

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Bytes of their state; 0 without bodies. */
uint64_t sim_body_bytes(const sim_world *world);
uint64_t sim_fluid_impulse_bytes(const sim_world *world);   /* of what fluid does to them */
uint64_t sim_contact_impulse_bytes(const sim_world *world); /* of the forces of their contacts */
/* Returns the largest speed of any body's surface point, m/s, for the choice of adaptive substeps.
 * Same as shaders/sim/body_coupling/max_body_speed.comp, without gravity's part. */
float sim_max_body_speed(const sim_world *world);
/* Return the total mass, kg, and the energies, J, of all bodies. */
double sim_body_mass(const sim_world *world);
void sim_body_energies(const sim_world *world, double *kinetic, double *potential_j);
/* Wakes all sleeping bodies. */
weir_result sim_wake_bodies(sim_world *world);
/* Stores the body states of a complete frame; warns of lost bodies. */
void sim_store_body_states(sim_world *world, const sim_frame *frame);
/* Warns once when the speed cap has cut the speed of a body; after sim_store_forces. */
void sim_check_body_speeds(sim_world *world, const sim_frame_result *seen, uint64_t frame);
/* Returns whether q is a rotation, i.e. has length 1. */
bool sim_is_rotation(quat q);
/* Returns whether a run could have saved these states. `saved` needs no alignment. */
bool sim_body_states_valid(const sim_world *world, const void *saved);

/* ---- what fluid does to bodies and solids ---------------------------------------------------- */

bool sim_sums_solid_forces(const sim_world *world);     /* on solids */
bool sim_measures_solid_force(const scene_data *scene); /* on solids, or a gauge does */
uint64_t sim_solid_force_bytes(const sim_world *world);
weir_result sim_forces_create(sim_world *world);
void sim_forces_destroy(sim_world *world);
/* Stores the forces of a complete frame. */
void sim_store_forces(sim_world *world, const sim_frame *frame);
/* Marks the forces as unknown until a frame has finished. */
void sim_clear_forces(sim_world *world);

/* ---- cloths and ropes ------------------------------------------------------------------------ */

weir_result sim_deformables_create(sim_world *world);
/* Bytes of their state; 0 without any. */
uint64_t sim_deformable_bytes(const sim_world *world);
/* Return the total mass, kg, and the energies, J, of all deformables. */
double sim_deformable_mass(const sim_world *world);
uint32_t sim_torn_edge_count(const sim_world *world); /* edges of all that have torn */
void sim_deformable_energies(const sim_world *world, double *kinetic, double *potential_j);
/* The states after a complete frame; warns of vertices that are lost. */
void sim_store_deformable_states(sim_world *world, const struct deformable_state *states);
/* Returns whether a run could have saved these states. `saved` needs no alignment. */
bool sim_deformable_states_valid(const sim_world *world, const void *saved);

/* Returns the potential energy of 1 kg at x, J: gravity and central fields. */
double sim_potential_energy_at(const struct sim_params *p, const vec4 *x);

/* ---- limits --------------------------------------------------------------------------------- */

/* Of the fluid as the solver makes it, m/s (docs/equations.md), and C at the floor. */
double sim_sound_speed(const sim_world *world, double dt);
double sim_predicted_compression(const sim_world *world, double dt);
/* The same for the fluid that a scene starts with, and whether that is visible. */
/* Sets `room`. */
void sim_estimate_domain_capacity(sim_world *world);
/* Particles that emitters kept back because the domain was full. */
uint32_t sim_not_emitted_count(const sim_world *world);
/* Mean over the particles, of max(rho/rho0 - 1, 0), in the last complete frame. */
double sim_mean_density_error(const sim_world *world);

/* Hashes the files that the scene reads. Errors: IO, MEMORY. */
weir_result sim_hash_files(sim_world *world);
/* Compares them with those of a checkpoint at `path`, which is of the same scene. Errors: ARGUMENT.
 */
weir_result sim_check_file_hashes(const sim_world *world, const char *path, const uint64_t *hashes);
/* The fluid's extent along gravity at the start, for the hydrostatic law. */
void sim_measure_fluid_depth(sim_world *world, const sim_initial_particles *particles);
double sim_max_substep_s(const scene_data *scene); /* s */
double sim_initial_compression(const sim_world *world);
bool sim_is_too_compressible(const sim_world *world);
/* Would a tolerance, by the hydrostatic law, take more iterations than the long-range correction
 * costs? */
bool sim_converges_slowly(const sim_world *world);
/* Either of these keeps the compression at the floor under 1 % where substeps take dt now. */
typedef struct sim_solver_settings {
    uint32_t substeps, iterations;
} sim_solver_settings;
sim_solver_settings sim_recommended_settings(const sim_world *world, double dt);
/* Warns where the scene leaves the range in which the solver works. */
void sim_warn_limits(const sim_world *world);
/* Spacings that a particle or a solid may move in a substep. */
double sim_cfl_limit(const scene_solver *solver);
/* Warns of solids that move farther in a substep than particles see. */
void sim_warn_fast_solids(const weir_log *log, const scene_data *scene,
                          const struct solid_set *solids);
/* Warns of bodies that start so fast that they may pass through what is thin. */
void sim_warn_fast_bodies(const weir_log *log, const scene_data *scene);
void sim_measure_initial_sums(sim_world *world, const sim_initial_particles *particles);
/* Warns once when the fastest particle moves too far in a substep. */
void sim_check_speed(sim_world *world, double speed, double dt, double time_s);
/* Warns once when a viscous solve has ended before its tolerance. */
void sim_check_viscosity(sim_world *world, const struct sim_status *status, double time_s);
/* Warns once when iterations have ended above the tolerance. */
void sim_check_tolerance(sim_world *world, const sim_frame_result *seen, double time_s);
/* Of fluid, bodies, cloths and ropes, J. */
double sim_total_energy(const sim_world *world, const sim_frame_result *seen);
/* Have fluid and bodies that nothing drives gained more energy than a fall across the domain, their
 * start and motion by a spacing each substep together could give? */
bool sim_has_gained_energy(const sim_world *world, const sim_frame_result *seen);

/* Device memory for one particle, its list included, in the world as it is. */
uint64_t sim_world_bytes_per_particle(const sim_world *world);

#endif
