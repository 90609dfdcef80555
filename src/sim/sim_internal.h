/* sim_internal: defines the state of a simulation and declares the functions that its files
 * share. */
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

/* iterations between updates of the flags "near a boundary or body" */
#define SIM_NEAR_UPDATE_INTERVAL 4u
#define SIM_FRAMES_IN_FLIGHT 2u           /* maximum number of pending frames */
#define SIM_DEFORMABLE_PASS_CAPACITY 640u /* passes of deformables per substep */
#define SIM_PASS_CAPACITY (220u + SIM_DEFORMABLE_PASS_CAPACITY) /* passes of one substep */
#define SIM_END_PASS_CAPACITY 12u
#define SIM_HOSE_RADIUS_SPACINGS 3.2f /* in spacings */
/* Upper bounds of a valid speed, m/s, and of a valid velocity gradient, 1/s. */
#define SIM_SPEED_MAX 1e9f
#define SIM_MAX_EMISSIONS 4096u /* layers that one frame can release */

/* Device buffers, named and documented in shaders/shared/sim_buffers.def. Several names may share
 * one allocation (ALIAS); a diagram in that file shows which name is valid at which stage of a
 * substep. */
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
    /* Of the viscous solve; created with the particles or, with a MAC grid, the cells. */
    SIM_WITH_UNKNOWNS,
    /* Arrays of a density solver's caller: density_solver/density_solver.c. */
    SIM_WITH_EXTERNAL,
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
    /* [sim_moving_layer_capacity], one for each layer of an emitter that moves. */
    struct sim_emitter moving_emitters[];
} sim_frame_input;

/* Result of a frame, copied back from the device. It is valid once the frame's ticket is done and
 * the device has written status.substeps (a command buffer of the host program may not have been
 * submitted). If state.flags is not 0, the frame is incomplete: it stopped before the substep
 * status.substep, and is replayed or ends the run. */
typedef struct sim_frame_result {
    struct sim_status status;   /* particle count, substeps and counters: shaders/shared/sim.h */
    struct sim_statistics sums; /* sums over the particles at the frame's end; valid if complete */
    struct grid_state state;    /* overflow flags, and the buffer sizes that were needed */
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
    float emitted_speed;          /* m/s, of the fastest layer that emitters release */
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
    /* Bits of ids, their ranks (shaders/shared/sim_buffers.def), and partial sums of the scan. */
    gpu_buffer *bits, *ranks, *sums;
    gpu_buffer *order; /* uint per particle */
    bool valid;        /* `order` matches the current state */
    /* Fields of the last read in order of id, 32-bit words in host memory. */
    gpu_buffer *packed;
    grid_scan *scan;
} sim_id_order;

typedef struct sim_emitter_state {
    uint32_t site_count, first_site;
    uint64_t next_layer; /* number of layers so far, released or withheld */
    uint64_t emitted;    /* particles released so far */
} sim_emitter_state;

/* State of a host-driven emitter's opening. */
typedef struct sim_driven_emitter {
    bool overridden; /* the host has set it; the scene's times and speed no longer apply */
    bool open;
    float speed;     /* m/s */
    double origin_s; /* time at which its layer 0 would have left at this speed */
    /* Position of the opening, and rotation from the scene's direction. */
    solid_target path;
} sim_driven_emitter;

/* Emitter after those of the scene, which the host program moves, opens and closes. */
typedef struct sim_hose {
    bool was_opened; /* once: the pass list then contains the pass that emits particles */
    bool open;
    double next_layer_s, layer_interval_s; /* time of the next layer; time between layers */
    struct sim_emitter emitter;
} sim_hose;

typedef struct sim_file_hash {
    const char *path; /* as in the scene; the pattern of a file sequence */
    uint64_t hash;    /* of the bytes of the file, or of all files of the sequence */
} sim_file_hash;

struct sim_world {
    gpu_device *device;
    const weir_log *log;
    const scene_data *scene;
    solid_set *solids;
    body_set *bodies;            /* NULL without any */
    deformable_set *deformables; /* NULL without any */
    bool standalone;             /* belongs to a sim_density_solver */
    /* Standalone: the caller provides neighbour lists, inverse masses; capacity of the lists, in
     * entries. */
    bool external_lists, external_masses;
    uint32_t external_neighbours;
    grid *grid;
    /* Grid of the long-range correction or of the MAC method; NULL without either. */
    poisson *pressure_grid;
    gpu_pipeline *pipelines[SIM_SHADERS];
    sim_buffers buffers;
    struct sim_params params;            /* of the next frame to be planned */
    struct sim_ray_force ray_force;      /* of the next frame; acceleration 0: none */
    struct body_mouse_joint mouse_joint; /* of the next frame */
    bool has_mouse_joint;                /* a mouse joint drags a body */
    bool externally_driven;              /* by a ray force, a mouse joint or written velocities */
    gpu_pass passes[SIM_PASS_CAPACITY], begin_pass, end_passes[SIM_END_PASS_CAPACITY];
    /* emit_pass: index in `passes`; UINT32_MAX without emitters. */
    uint32_t pass_count, end_pass_count, emit_pass;
    gpu_timers *begin_timers, *timers, *end_timers;
    sim_frame frames[SIM_FRAMES_IN_FLIGHT];
    uint64_t frames_begun, frames_done; /* since creation or restore */
    uint64_t replays;                   /* since creation */
    bool lists_valid;                   /* the neighbour lists match the current particles */
    bool densities_valid;               /* sim_measure_densities has run */
    double time_s;                      /* at the end of the last frame begun */
    uint64_t frame;                     /* number of the last frame begun */
    uint32_t next_id;
    sim_emitter_state *emitters;         /* per emitter of the scene, then the hose */
    sim_driven_emitter *driven_emitters; /* per emitter of the scene; NULL if none is host-driven */
    sim_hose hose;
    sim_id_order id_order;
    sim_frame_result last_result; /* of the last complete frame */
    /* Complete frames above WEIR_OVERCOMPRESSION, since the start. */
    uint32_t overcompressed_frames;
    BASE_ARRAY(sim_file_hash) file_hashes; /* of the files that the scene reads */
    double last_time_s;
    /* Frame of body_fluid_impulses and solid_forces; 0: no frame has finished. */
    uint64_t force_frame;
    vec4 *solid_forces;             /* of force_frame, like sim_buffers.solid_forces */
    vec3 *solid_positions;          /* of force_frame, at its end */
    struct body_state *body_states; /* of the last complete frame; NULL without bodies */
    struct body_fluid_impulse *body_fluid_impulses; /* of the last complete frame */
    /* Of the last complete frame: one per vertex, then the flags of torn edges. */
    struct deformable_state *deformable_states;
    /* Three words per facet: vertices of triangles, or of rope edges, as last read. */
    uint32_t *deformable_elements;
    vec4 *readings;           /* of the last complete frame, like sim_buffers.gauge_readings */
    uint32_t *errors;         /* of the last complete frame, like sim_frame.errors */
    double gpu_ms, record_ms; /* of the last complete frame */
    /* Not OK: the device's state is incomplete until a checkpoint is restored. */
    weir_result failed;
    /* Too many particles are lost, the fluid has collapsed, or energy was gained from nowhere;
     * until a checkpoint is restored. */
    bool unstable;
    /* Of fluid, bodies and deformables at the start. */
    double mass_kg, start_kinetic_j, start_energy_j;
    bool warned_of_speed, warned_of_viscosity, warned_of_tolerance, warned_of_full_domain;
    bool warned_of_bodies;
    /* Number of particles that a closed domain holds; UINT32_MAX: unknown or irrelevant. */
    uint32_t domain_capacity;
    bool has_pressure_grid; /* the scene needs a pressure_grid */
    double fluid_depth_m;   /* height of the fluid along gravity at the start */
    double stiffness;       /* D h^2 of the rest lattice, used by the hydrostatic law */
    double lattice_sum;     /* S0 of the rest lattice */
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
/* Decides whether the world needs a pressure grid, for the long-range correction or as MAC grid,
 * and fills in the parameters of its cells. Call it when fluid_depth_m and the other parameters are
 * known. */
void sim_pressure_grid_choose(sim_world *world);
/* Creates the grid and its buffers. Errors: MEMORY; ARGUMENT if there are too many cells. */
weir_result sim_pressure_grid_create(sim_world *world);
/* Returns the grid's bytes of device memory; 0 without one. */
uint64_t sim_pressure_grid_bytes(const sim_world *world);
/* Enlarges the pressure grid and its buffers to `blocks` blocks; their contents are lost. */
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
/* Create a device buffer of `count` elements of `stride` bytes, or a buffer of `bytes` bytes in
 * host memory. */
weir_result sim_buffer_create(sim_world *world, const char *name, uint32_t stride, uint64_t count,
                              gpu_buffer **buffer);
weir_result sim_host_buffer_create(sim_world *world, const char *name, uint64_t bytes,
                                   gpu_buffer **buffer);
/* Returns the number of items of the solid set times that of substeps in a frame. */
uint64_t sim_pose_count(const sim_world *world);
/* Returns the maximum number of unknowns of the viscous solve: faces of the MAC grid's cells, or
 * particles; 0 without viscosity. */
uint64_t sim_unknown_count(const sim_world *world);
/* Enlarges the buffers of the viscous solve after a fluid has become viscous. */
weir_result sim_viscous_buffers_grow(sim_world *world);
weir_result sim_gauges_create(sim_world *world);
void sim_gauges_destroy(sim_world *world);
/* Return the bytes of one frame's gauge readings and of its residuals; 0 unless the scene has
 * such. */
uint64_t sim_reading_bytes(const sim_world *world);
uint64_t sim_residual_bytes(const sim_world *world);
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
/* Returns the state of a host-driven emitter whose opening the host has set, otherwise NULL. */
const sim_driven_emitter *sim_find_driven_emitter(const sim_world *world, uint32_t emitter);
/* Returns the emitter at `time_s`, within the frame from span[0] to span[1]. */
struct sim_emitter sim_emitter_at_time(const sim_world *world, uint32_t emitter, double time_s,
                                       const double span[2]);
/* State of a host-driven emitter in a checkpoint, one for each emitter of the scene; absent if none
 * is host-driven. */
typedef struct sim_saved_driven_emitter {
    scene_pose pose;
    float speed;
    uint32_t overridden, open, unused;
    double origin_s;
} sim_saved_driven_emitter;
uint64_t sim_driven_emitter_bytes(const sim_world *world);
void sim_driven_emitters_save(const sim_world *world, sim_saved_driven_emitter *saved);
/* Returns whether a run could have saved these states. `saved` needs no alignment. */
bool sim_driven_emitters_valid(const sim_world *world, const void *saved);
void sim_driven_emitters_restore(sim_world *world, const void *saved);

/* Creates the pipelines that no solver table names. Those of the tables are created with the pass
 * list, so that a scene waits only for the pipelines that it uses. */
weir_result sim_pipelines_create(sim_world *world);
weir_result sim_require_pipeline(sim_world *world, int shader);
/* Enlarges the grid; the pass list must then be rebuilt. */
weir_result sim_grid_grow(sim_world *world, grid_capacity capacity);
void sim_pipelines_destroy(sim_world *world);
/* Returns whether particles carry the velocity gradient (APIC). */
bool sim_is_apic(const sim_world *world);
/* Returns whether a substep reads the velocities of neighbours. */
bool sim_needs_neighbour_velocities(const sim_world *world);
/* Returns a pass of the shader with all its bindings. */
gpu_pass sim_make_pass(const sim_world *world, int shader, gpu_dispatch_size dispatch_size);
/* Rebuilds the pass list after buffers or pipelines have changed. */
weir_result sim_build_passes(sim_world *world);
/* Returns the number of particles that a planned frame adds. */
uint32_t sim_frame_emitted_count(const sim_frame *frame);
/* Creates the snapshot's buffers, or enlarges them to the world's particle capacity.
 * sim_snapshot_set_max_count sets the snapshot's count to an upper bound of the particles after the
 * planned frame. */
weir_result sim_snapshot_reserve(sim_world *world, sim_snapshot *snapshot);
void sim_snapshot_set_max_count(const sim_world *world, const sim_frame *frame,
                                sim_snapshot *snapshot);
/* Records the passes and copies that fill the frame's snapshot. */
weir_result sim_snapshot_record(sim_world *world, const sim_frame *frame);
/* Return the passes that apply the ray force and the mouse joint, once at the start of a frame. */
gpu_pass sim_ray_force_pass(const sim_world *world);
gpu_pass sim_mouse_joint_pass(const sim_world *world);

void sim_id_order_destroy(sim_world *world);

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Bytes of the bodies' states, of the fluid's impulses on them, and of their contact impulses; 0
 * without bodies. */
uint64_t sim_body_bytes(const sim_world *world);
uint64_t sim_fluid_impulse_bytes(const sim_world *world);
uint64_t sim_contact_impulse_bytes(const sim_world *world);
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
/* Warns once when max_speed has cut the speed of a body. Call it after sim_store_forces. */
void sim_check_body_speeds(sim_world *world, const sim_frame_result *seen, uint64_t frame);
/* Returns whether the length of q is about 1. */
bool sim_is_rotation(quat q);
/* Returns whether a run could have saved these states. `saved` needs no alignment. */
bool sim_body_states_valid(const sim_world *world, const void *saved);

/* ---- fluid forces on bodies and solids ------------------------------------------------------ */

/* Returns whether frames sum the fluid's forces on solids. sim_measures_solid_force also returns
 * true if a force gauge needs them. */
bool sim_sums_solid_forces(const sim_world *world);
bool sim_measures_solid_force(const scene_data *scene);
uint64_t sim_solid_force_bytes(const sim_world *world);
weir_result sim_forces_create(sim_world *world);
void sim_forces_destroy(sim_world *world);
/* Stores the forces of a complete frame. */
void sim_store_forces(sim_world *world, const sim_frame *frame);
/* Marks the forces as unknown until the next frame finishes. */
void sim_clear_forces(sim_world *world);

/* ---- deformables ---------------------------------------------------------------------------- */

weir_result sim_deformables_create(sim_world *world);
/* Bytes of the deformables' states; 0 without deformables. */
uint64_t sim_deformable_bytes(const sim_world *world);
/* Return the total mass, kg, and the energies, J, of all deformables. */
double sim_deformable_mass(const sim_world *world);
/* Returns the number of torn edges of all deformables. */
uint32_t sim_torn_edge_count(const sim_world *world);
void sim_deformable_energies(const sim_world *world, double *kinetic, double *potential_j);
/* Stores the deformable states of a complete frame; warns of lost vertices. */
void sim_store_deformable_states(sim_world *world, const struct deformable_state *states);
/* Returns whether a run could have saved these states. `saved` needs no alignment. */
bool sim_deformable_states_valid(const sim_world *world, const void *saved);

/* Returns the potential energy of 1 kg at x, J: gravity and central fields. */
double sim_potential_energy_at(const struct sim_params *p, const vec4 *x);

/* ---- limits --------------------------------------------------------------------------------- */

/* Returns the speed of sound in the fluid as the solver simulates it, m/s (docs/equations.md); 0
 * with a MAC grid. */
double sim_sound_speed(const sim_world *world, double dt);
/* Returns the compression rho/rho0 - 1 at the floor of the fluid that the hydrostatic law predicts
 * for substeps of `dt` seconds, with the number of iterations that they take at rest. */
double sim_predicted_compression(const sim_world *world, double dt);
/* Estimates domain_capacity. */
void sim_estimate_domain_capacity(sim_world *world);
/* Returns the number of particles that emitters have withheld because the domain was full. */
uint32_t sim_not_emitted_count(const sim_world *world);
/* Returns the mean of max(rho/rho0 - 1, 0) over the particles, in the last complete frame. */
double sim_mean_density_error(const sim_world *world);

/* Hashes the files that the scene reads. Errors: IO, MEMORY. */
weir_result sim_hash_files(sim_world *world);
/* Compares the files' hashes with those of a checkpoint at `path`, which was saved from the same
 * scene. Errors: ARGUMENT if a file differs. */
weir_result sim_check_file_hashes(const sim_world *world, const char *path, const uint64_t *hashes);
/* Measures the fluid's extent along gravity at the start, for the hydrostatic law. */
void sim_measure_fluid_depth(sim_world *world, const sim_initial_particles *particles);
/* Returns the length of a substep when a frame takes all of its substeps, s. */
double sim_max_substep_s(const scene_data *scene);
/* Returns the predicted compression with all substeps and iterations. sim_is_too_compressible
 * returns whether it is large enough to be visible. */
double sim_initial_compression(const sim_world *world);
bool sim_is_too_compressible(const sim_world *world);
/* Returns whether, by the hydrostatic law, a tolerance would take more iterations than the
 * long-range correction costs. */
bool sim_converges_slowly(const sim_world *world);
/* Settings that keep the compression at the floor below 1 %; changing one of them suffices. `dt` is
 * the present length of a substep, s. */
typedef struct sim_solver_settings {
    uint32_t substeps, iterations;
} sim_solver_settings;
sim_solver_settings sim_recommended_settings(const sim_world *world, double dt);
/* Warns if the scene leaves the range in which the solver works. */
void sim_warn_limits(const sim_world *world);
/* Returns the distance that a particle or a solid may move in a substep, in spacings. */
double sim_cfl_limit(const scene_solver *solver);
/* Warns of solids that move farther in a substep than particles can see. */
void sim_warn_fast_solids(const weir_log *log, const scene_data *scene,
                          const struct solid_set *solids);
/* Warns of bodies that start so fast that they may pass through thin objects. */
void sim_warn_fast_bodies(const weir_log *log, const scene_data *scene);
/* Computes the initial mass and energies, and those statistics of the initial particles that need
 * no neighbours. */
void sim_measure_initial_sums(sim_world *world, const sim_initial_particles *particles);
/* Warns once when the fastest particle moves farther in a substep than sim_cfl_limit. */
void sim_check_speed(sim_world *world, double speed, double dt, double time_s);
/* Warns once when a viscous solve has ended before its tolerance. */
void sim_check_viscosity(sim_world *world, const struct sim_status *status, double time_s);
/* Warns once when iterations have ended above the tolerance. */
void sim_check_tolerance(sim_world *world, const sim_frame_result *seen, double time_s);
/* Returns the energy of fluid, bodies and deformables, J. */
double sim_total_energy(const sim_world *world, const sim_frame_result *seen);
/* Returns whether fluid and bodies that nothing drives have gained more energy than their initial
 * kinetic energy, a fall across the domain and a motion of one spacing per substep can account
 * for. */
bool sim_has_gained_energy(const sim_world *world, const sim_frame_result *seen);

/* Returns the device memory for one particle of this world, including its neighbour list. */
uint64_t sim_world_bytes_per_particle(const sim_world *world);

#endif
