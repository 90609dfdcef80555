/* sim_state: defines the state of a simulation, its buffers and parameters, and what follows from
 * the scene alone. */
#ifndef WEIR_SIM_STATE_H
#define WEIR_SIM_STATE_H

#include "body.h"
#include "deformable.h"
#include "poisson.h"
#include "sim.h"
#include "solid.h"

#include "sim/shaders.h"

#include "shared/body.h"
#include "shared/deformable.h"
#include "shared/grid.h"
#include "shared/sim.h"
#include "shared/solid.h"

#define SIM_PI 3.14159265358979323846
/* Value of a smoothing kernel at the distance q h, for h = 1: the density kernel, its derivative,
 * and the derivative of the kernel that corrections use. */
typedef struct sim_smoothing_value {
    double value, slope, correction;
} sim_smoothing_value;
sim_smoothing_value sim_smoothing_kernel_at(scene_kernel kernel, uint32_t dimensions, double q);

/* Returns the factor a of the corrections' kernel derivative: a (1 - q)^2, or a q (1 - q)^3 for
 * Wendland's kernel. */
double sim_kernel_slope_factor(scene_kernel kernel, uint32_t dimensions);

/* Computes S0 = d^3 sum W and D h^2 = h^2 V^2 sum |grad W|^2 of the rest lattice: cubic, or square
 * in two dimensions. */
void sim_lattice_sums(const scene_solver *solver, double *s0, double *stiffness);

/* Returns the largest gain of a Jacobi iteration over all waves on the rest lattice. A relaxation
 * is stable below 2 over this gain. */
double sim_max_jacobi_gain(const scene_solver *solver);

/* Returns how far behind a wall the wall's density begins, in d. The shift gives a site of the rest
 * lattice that lies half a spacing off the wall the same density as a site inside. 0 for kernels
 * other than Wendland's. */
double sim_boundary_shift(const scene_solver *solver);

/* Returns the distance that particles keep from boundaries, in metres. */
double sim_boundary_gap(const scene_data *scene);

/* Returns the unit and origin of fixed-point positions on the device: integers that count units
 * from the middle of the domain. */
grid_fixed_point sim_fixed_point(const scene_data *scene);

/* Returns the fixed-point position nearest to p, m, clamped to the representable range. `w` is
 * copied. */
ivec4 sim_to_fixed_point(const grid_fixed_point *fixed, const double p[3], int32_t w);

/* Converts a fixed-point position to metres; NAN for a lost particle. */
vec3 sim_to_metres(const grid_fixed_point *fixed, ivec4 position);

/* Return whether the scene has a feature: solids or sinks, whose distances the shaders look up; a
 * fluid with surface tension, with XSPH, or with a dynamic viscosity. */
bool sim_has_solids_or_sinks(const scene_data *scene);
bool sim_has_surface_tension(const scene_data *scene);

/* Returns the longest substep for the surface tension of a fluid, which must not be 0: the shortest
 * capillary waves must not outrun it. */
double sim_max_tension_substep_s(const scene_data *scene, uint32_t fluid);
bool sim_has_xsph(const scene_data *scene);
bool sim_has_friction(const scene_data *scene); /* of a closed side or a solid */
bool sim_has_viscosity(const scene_data *scene);
/* Returns whether numbers of a fluid depend on attributes. */
bool sim_has_curves(const scene_data *scene);
/* Returns whether the pressure solve of FLIP or APIC has a density for each face: with several
 * fluids, since a running scene may change their densities. */
bool sim_has_variable_density(const scene_data *scene);
/* Returns the number of vec4 that hold the attributes of a particle; 0 without attributes. */
uint32_t sim_attribute_vectors(const scene_data *scene);
bool sim_attributes_diffuse(const scene_data *scene);
/* Return bits of the first components of rest positions: of all, and of those with a reset in a
 * frame. */
uint32_t sim_rest_positions(const scene_data *scene);
uint32_t sim_reset_rest_positions(const scene_data *scene, double start_s, double end_s);
/* Computes the factor, 1/m2, by which pairs exchange their weight times the difference for a
 * diffusivity of 1 m2/s; returns it times the sum of a particle's weights on the rest lattice. */
double sim_attribute_exchange(const scene_data *scene, double *factor);
/* Emitters lead their last layer until the next one supports it. */
bool sim_emitters_lead(const scene_data *scene);

/* Returns how many vec4 per particle the gauges of pressure and force need; 0 without such
 * gauges. */
uint32_t sim_gauge_slots_per_particle(const scene_data *scene);

/* Returns the initial capacity of a neighbour list. A rest lattice at h = 2 d has 26 neighbours per
 * particle, a splashing fluid up to about 45; lists grow when a particle has more. */
uint32_t sim_initial_list_capacity(const scene_data *scene);

/* Returns the device memory for one particle, including its neighbour list. */
uint64_t sim_bytes_per_particle(const scene_data *scene, uint32_t list_capacity, bool compact);

/* Returns whether wide lists for `particles` particles would fill the device's free memory. */
bool sim_needs_compact_lists(const gpu_device *device, const scene_data *scene, uint64_t particles);

/* Determines whether lists for `particles` particles should be compact, because wide ones would
 * fill the device's memory or because compact ones are faster on the device. Errors: those of
 * grid_autotune_prefers_compact. */
weir_result sim_prefers_compact_lists(gpu_device *device, const scene_data *scene,
                                      uint64_t particles, bool *compact);

/* iterations between updates of the flags "near a boundary or body" */
#define SIM_NEAR_UPDATE_INTERVAL 4u

#define SIM_FRAMES_IN_FLIGHT 2u           /* maximum number of pending frames */
#define SIM_DEFORMABLE_PASS_CAPACITY 640u /* passes of deformables per substep */
#define SIM_PASS_CAPACITY (220u + SIM_DEFORMABLE_PASS_CAPACITY) /* passes of one substep */
#define SIM_END_PASS_CAPACITY 12u

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
    struct sim_sea sea;
    struct sim_force_fields force_fields;
    struct body_mouse_joint mouse_joint;
    struct sim_emitter hose;
    struct sim_emission emissions[SIM_MAX_EMISSIONS];
    /* [sim_max_moving_layers], one for each layer of an emitter that moves. */
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
                      sim_max_moving_layers(world->scene) * sizeof(struct sim_emitter))           \
    BUFFER(result, sizeof(sim_frame_result))                                                      \
    BUFFER(poses, sim_pose_count(world) * sizeof(struct solid_pose)) /* like sim_buffers.poses */ \
    BUFFER(bodies, sim_body_bytes(world)) /* struct body_state per body */                        \
    BUFFER(fluid_impulses,                                                                        \
           sim_fluid_impulse_bytes(world))             /* struct body_fluid_impulse per body */   \
    BUFFER(solid_forces, sim_solid_force_bytes(world)) /* like sim_buffers.solid_forces */        \
    BUFFER(deformables, sim_deformable_bytes(world))   /* struct deformable_state per vertex */   \
    BUFFER(readings, sim_reading_bytes(world))         /* like sim_buffers.gauge_readings */      \
    BUFFER(errors, sim_residual_bytes(world)) /* like sim_buffers.density_errors, per substep */

/* Solves that the device ends: of a frame, only the iterations that it is expected to need are
 * recorded (frame/solve_limits.c). */
typedef enum sim_solve {
    SIM_SOLVE_DENSITY, /* to a tolerance */
    SIM_SOLVE_VISCOSITY,
    SIM_SOLVE_PRESSURE, /* on the MAC grid */
    SIM_SOLVES
} sim_solve;

typedef struct sim_frame {
    bool pending;
    uint64_t ticket;
    uint64_t number;
    double start_s, seconds;
    uint32_t recorded_substeps;
    uint32_t solve_limits[SIM_SOLVES]; /* recorded repetitions of each solve; 0: the maximum */
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

/* A part of an emitter that releases its particles in layers: all of it, or where its profile has
 * one speed. */
typedef struct sim_stream_variant {
    uint32_t first_site, site_count;
} sim_stream_variant;

typedef struct sim_stream {
    uint32_t emitter;                /* of the scene */
    uint32_t first_site, site_count; /* of all layers but the first */
    uint32_t first_fill, fill_count; /* of the first, which may fill a shape */
    /* Of an emitter whose shape is a sequence of meshes: the sites of later layers, one variant for
     * each file; count 0: the sites above. */
    uint32_t first_variant, variant_count;
    float variant_rate_hz;
    float speed_factor; /* speed over the mean speed of the emitter */
    float area; /* m2, m in two dimensions: of the emitter's cross-section, with all its streams */
} sim_stream;

typedef struct sim_streams {
    BASE_ARRAY(sim_stream) list; /* in order of the scene's emitters */
    BASE_ARRAY(struct sim_emitter_site) sites;
    BASE_ARRAY(sim_stream_variant) variants;
} sim_streams;

typedef struct sim_stream_state {
    uint32_t site_count, first_site;
    uint64_t next_layer; /* number of layers so far, released or withheld */
    uint64_t emitted;    /* particles released so far */
} sim_stream_state;

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
    struct sim_ranks *ranks;     /* NULL: a single rank, src/sim/ranks/sim_ranks.h */
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
    struct sim_params params;             /* of the next frame to be planned */
    struct sim_ray_force ray_force;       /* of the next frame; acceleration 0: none */
    struct sim_sea sea;                   /* at full height and time 0; no waves without a sea */
    struct sim_force_fields force_fields; /* at time 0 */
    BASE_ARRAY(vec4) force_field_nodes;   /* as in the buffer of this name, until it is uploaded */
    struct body_mouse_joint mouse_joint;  /* of the next frame */
    bool has_mouse_joint;                 /* a mouse joint drags a body */
    bool externally_driven;               /* by a ray force, a mouse joint or written velocities */
    gpu_pass passes[SIM_PASS_CAPACITY], begin_pass, end_passes[SIM_END_PASS_CAPACITY];
    /* emit_pass: index in `passes`; UINT32_MAX without emitters. */
    uint32_t pass_count, end_pass_count, emit_pass;
    gpu_timers *begin_timers, *timers, *end_timers;
    sim_frame frames[SIM_FRAMES_IN_FLIGHT];
    uint64_t frames_begun, frames_done; /* since creation or restore */
    uint64_t replays;                   /* since creation */
    /* Repetitions of each solve that recent frames have needed. */
    uint32_t expected_repetitions[SIM_SOLVES];
    bool lists_valid;     /* the neighbour lists match the current particles */
    bool densities_valid; /* sim_measure_densities has run */
    double time_s;        /* at the end of the last frame begun */
    uint64_t frame;       /* number of the last frame begun */
    uint32_t next_id;
    sim_streams streams;
    sim_stream_state *stream_states;     /* per stream, then the hose */
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
    vec4 *readings; /* of the last complete frame, like sim_buffers.gauge_readings */
    BASE_ARRAY(float) gauge_history; /* readings of the last substeps: gauge_averages.c */
    uint32_t *errors;                /* of the last complete frame, like sim_frame.errors */
    double gpu_ms, record_ms;        /* of the last complete frame */
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

/* Computes the factors of the smoothing kernels and the lattice sums from the scene
 * (docs/equations.md). */
void sim_params_fill(sim_world *world);

/* Sets gravity to its value at a time. */
void sim_update_gravity(sim_world *world, double time_s);

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

/* Return the bytes of one frame's gauge readings and of its residuals; 0 unless the scene has
 * such. */
uint64_t sim_reading_bytes(const sim_world *world);
uint64_t sim_residual_bytes(const sim_world *world);

/* Returns the maximum number of layers that moving emitters release in a frame; 0: none moves. */
uint32_t sim_max_moving_layers(const scene_data *scene);
bool sim_emitter_is_moving(const scene_emitter *emitter);

/* Returns whether particles carry the velocity gradient (APIC). */
bool sim_is_apic(const sim_world *world);

/* Returns whether a substep reads the velocities of neighbours. */
bool sim_needs_neighbour_velocities(const sim_world *world);

/* Bytes of the bodies' states, of the fluid's impulses on them, and of their contact impulses; 0
 * without bodies. */
uint64_t sim_body_bytes(const sim_world *world);
uint64_t sim_fluid_impulse_bytes(const sim_world *world);
uint64_t sim_contact_impulse_bytes(const sim_world *world);

/* Returns the bytes of the attributes of `count` particles. */
uint64_t sim_attribute_bytes(const sim_world *world, uint32_t count);

/* Returns whether frames sum the fluid's forces on solids. sim_measures_solid_force also returns
 * true if a force gauge needs them. */
bool sim_sums_solid_forces(const sim_world *world);
bool sim_measures_solid_force(const scene_data *scene);
uint64_t sim_solid_force_bytes(const sim_world *world);

/* Bytes of the deformables' states; 0 without deformables. */
uint64_t sim_deformable_bytes(const sim_world *world);

/* Returns the potential energy of 1 kg at x, J: gravity and central fields. */
double sim_potential_energy_at(const struct sim_params *p, const vec4 *x);

/* Returns the mean of max(rho/rho0 - 1, 0) over the particles, in the last complete frame. */
double sim_mean_density_error(const sim_world *world);

/* Returns the device memory for one particle of this world, including its neighbour list. */
uint64_t sim_world_bytes_per_particle(const sim_world *world);

/* State of the particles on the host, in the device's order. */
typedef struct sim_host_state sim_host_state;
struct sim_host_state {
    ivec4 *x;
    vec4 *v;
    uint32_t *ids;
    vec4 *affine;              /* 3 per particle; NULL without APIC */
    vec4 *attributes;          /* sim_attribute_vectors per particle; NULL without attributes */
    struct body_state *bodies; /* one per body; NULL without any */
    struct body_cached_force *contact_impulses; /* one per sample of a body; NULL without any */
    struct deformable_state *deformables;       /* one per deformable vertex; NULL without any */
};

/* Release with sim_host_state_free, also after an error. */
weir_result sim_host_state_download(const sim_world *world, uint32_t count, sim_host_state *state);
/* Reorders the particles: particle k becomes the one that was particle order[k]. */
weir_result sim_host_state_reorder(const sim_world *world, const uint32_t *order, uint32_t count,
                                   sim_host_state *state);
void sim_host_state_free(sim_host_state *state);

/* Pointers to the arrays of a sim_host_state, in memory of any owner. */
typedef struct sim_state_arrays {
    const void *x, *v, *ids;
    const void *affine;           /* with APIC; NULL: all velocity gradients are 0 */
    const void *attributes;       /* NULL without attributes */
    const void *bodies;           /* NULL without any */
    const void *contact_impulses; /* NULL: there are no contacts yet */
    const void *deformables;      /* NULL without any */
} sim_state_arrays;
weir_result sim_host_state_upload(sim_world *world, uint32_t count, const sim_state_arrays *arrays);

/* Marks all clearances as unknown. Call it after particles have been moved other than by a
 * substep. */
weir_result sim_clear_clearances(sim_world *world);

/* Particles that the fluids start with. */
#define SIM_ID_NOT_GIVEN UINT32_MAX
typedef struct sim_initial_particles {
    BASE_ARRAY(vec4) x; /* xyz m, w fluid index */
    BASE_ARRAY(vec4) v;
    BASE_ARRAY(ivec4) fixed;             /* same as x, but not rounded to floats; w fluid index */
    BASE_ARRAY(vec4) velocity_gradients; /* 1/s: 3 rows per particle; empty without APIC */
    BASE_ARRAY(vec4) attributes;         /* sim_attribute_vectors per particle */
    BASE_ARRAY(uint32_t) ids;            /* those of a file, or else the index: sim_fill_ids */
    uint32_t next_id;                    /* of the first particle to be emitted */
    uint64_t max_count;                  /* maximum that the device has memory for; 0: unlimited */
    bool is_uneven; /* jittered, moved away from obstacles, or read from a file */
} sim_initial_particles;

static inline vec3 sim_xyz(vec4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

#endif
