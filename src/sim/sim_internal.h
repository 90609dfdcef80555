/* sim_internal: a simulation, and what makes its parts. */
#ifndef WEIR_SIM_INTERNAL_H
#define WEIR_SIM_INTERNAL_H

#include "sim.h"
#include "sim_scene.h"
#include "solid.h"

#include "body.h"
#include "poisson.h"
#include "soft.h"

#include "sim/shaders.h"

#include "shared/body.h"
#include "shared/grid.h"
#include "shared/sim.h"
#include "shared/soft.h"
#include "shared/solid.h"

#define SIM_MARK_EVERY 4u               /* iterations after which what is near is asked anew */
#define SIM_FRAMES 2u                   /* frames that may be under way */
#define SIM_SOFT_ROWS 640u              /* of cloths and ropes */
#define SIM_ROWS (220u + SIM_SOFT_ROWS) /* of one substep */
#define SIM_END_ROWS 12u
#define SIM_JET_SPACINGS 3.2f /* radius of the jet that a caller opens */
/* No fluid is as fast, m/s, or has as steep a gradient of its velocity, 1/s. */
#define SIM_SPEED_MAX 1e9f
#define SIM_EMISSIONS 4096u /* layers that one frame can release */

/* Device memory by the names of shaders/shared/sim_buffers.def, which says what each holds. An
 * alias is the buffer that it names. */
typedef union sim_buffers {
    struct {
#define BUFFER(name, type, count) gpu_buffer *name;
#define ALIAS(name, type, buffer) gpu_buffer *name;
#include "shared/sim_buffers.def"
    };
    gpu_buffer *all[SIM_BUFFERS]; /* by binding number */
} sim_buffers;

/* What buffers are made with. */
typedef enum sim_lifetime {
    SIM_WITH_WORLD,
    SIM_WITH_EMITTERS,
    SIM_WITH_CELLS,
    SIM_WITH_PARTICLES,
    SIM_WITH_UNKNOWNS, /* of the solve for viscosity; also with particles, or cells on a grid */
    SIM_WITH_GIVEN,    /* a caller's particles: constraint.c */
    SIM_LIFETIMES
} sim_lifetime;

/* What one frame takes in and gives back, in host memory. It is kept until the frame is complete,
 * because a frame may be replayed. */
typedef struct sim_input {
    struct sim_params params;
    struct sim_pointer pointer;
    struct body_hand hand;
    struct sim_emitter jet;
    struct sim_emission emissions[SIM_EMISSIONS];
    struct sim_emitter
        moved[]; /* [sim_moved_layers], one for each layer of an emitter that moves */
} sim_input;

typedef struct sim_result {
    struct sim_status status;
    struct sim_sums sums;
    struct grid_state state;
} sim_result;

/* Its buffers, in host memory: name and bytes. */
#define SIM_FRAME_BUFFERS(BUFFER)                                                                  \
    BUFFER(input, sizeof(sim_input) + sim_moved_layers(world->scene) * sizeof(struct sim_emitter)) \
    BUFFER(result, sizeof(sim_result))                                                             \
    BUFFER(poses, sim_pose_count(world) * sizeof(struct solid_pose)) /* like sim_buffers.poses */  \
    BUFFER(bodies, sim_body_bytes(world))      /* struct body_state per body */                    \
    BUFFER(pushes, sim_push_bytes(world))      /* struct body_push per body */                     \
    BUFFER(forces, sim_force_bytes(world))     /* like sim_buffers.solid_forces */                 \
    BUFFER(softs, sim_soft_bytes(world))       /* struct soft_state per vertex */                  \
    BUFFER(readings, sim_reading_bytes(world)) /* like sim_buffers.readings */                     \
    BUFFER(errors, sim_residual_bytes(world))  /* like sim_buffers.errors, per substep */

typedef struct sim_frame {
    bool pending;
    uint64_t ticket;
    uint64_t number;
    double start_s, seconds;
    uint32_t recorded; /* substeps */
    uint32_t emission_count, moved_count;
    float emitted_speed;   /* sim_params */
    bool pointed, jetting; /* the pointer pushes; the jet is open */
    bool dragging;         /* the hand drags a body */
    sim_slot *slot;        /* that it fills while it is recorded for the first time, or NULL */
    const struct weir_vulkan_submit *submission; /* likewise */
    bool lent;                                   /* a host submits it */
    double gpu_ms, record_ms;
#define BUFFER(name, bytes) gpu_buffer *name;
    SIM_FRAME_BUFFERS(BUFFER)
#undef BUFFER
} sim_frame;

/* Of reading in the order of ids; made when something is read first. */
typedef struct sim_order {
    gpu_buffer *bits, *ranks, *sums; /* shaders/shared/sim.h; of the scan */
    gpu_buffer *order;               /* uint per particle */
    bool known;                      /* `order` is that of the state at hand */
    gpu_buffer *packed;              /* uint[3] per particle, in host memory */
    grid_scan *scan;
} sim_order;

typedef struct sim_emitter_state {
    uint32_t site_count, first_site;
    uint64_t next_layer; /* layers released or withheld so far */
    uint64_t emitted;    /* particles */
} sim_emitter_state;

/* The opening of an emitter that a caller steers. */
typedef struct sim_nozzle {
    bool taken; /* the caller has set it: the scene's times and speed count no more */
    bool open;
    float speed;        /* m/s */
    double origin_s;    /* when the first of all layers would have left at this speed */
    solid_steered path; /* where it is, and its turn from the scene's direction */
} sim_nozzle;

/* An emitter after those of the scene, which a caller moves, opens and closes. */
typedef struct sim_jet {
    bool used; /* it has been opened: the step table has the row that emits */
    bool open;
    double next_s, interval_s; /* when the next layer leaves; between two */
    struct sim_emitter emitter;
} sim_jet;

typedef struct sim_file {
    const char *path; /* of the scene; of a sequence its pattern */
    uint64_t hash;    /* of the bytes, of all files of a sequence */
} sim_file;

struct sim_world {
    gpu_device *device;
    const weir_log *log;
    const scene_data *scene;
    solid_set *solids;
    body_set *bodies; /* NULL without any */
    soft_set *softs;  /* likewise, of cloths and ropes */
    bool alone;       /* it solves the density constraint of a caller's particles: constraint.c */
    bool lists_given, masses_given; /* likewise, and the caller gives these, too */
    uint32_t given_neighbours;      /* entries that the buffer of neighbours holds */
    grid *grid;
    poisson *cells; /* of the long-range correction, or of the MAC grid; NULL without either */
    gpu_kernel *kernels[SIM_SHADERS];
    sim_buffers buffers;
    struct sim_params params;   /* as of the next frame */
    struct sim_pointer pointer; /* likewise; acceleration 0: no pointer */
    struct body_hand hand;      /* likewise */
    bool dragging;              /* the hand drags a body */
    bool pushed;                /* by the pointer, the hand, or written velocities */
    gpu_row rows[SIM_ROWS], begin_row, end_rows[SIM_END_ROWS];
    uint32_t row_count, end_row_count, emit_row; /* emit_row: UINT32_MAX without emitters */
    gpu_timers *begin_timers, *timers, *end_timers;
    sim_frame frames[SIM_FRAMES];
    uint64_t frames_begun, frames_done; /* since creation or restore */
    uint64_t replays;                   /* since creation */
    bool lists_stand;                   /* the neighbour lists are those of the particles at hand */
    bool densities_stand;               /* sim_measure_densities has done its work */
    double time_s;                      /* at the end of the last frame begun */
    uint64_t frame;                     /* number of the last frame begun */
    uint32_t next_id;
    sim_emitter_state *emitters; /* of the scene, then of the jet */
    sim_nozzle *nozzles;         /* per emitter of the scene; NULL where none is steered */
    sim_jet jet;
    sim_order order;
    sim_result last;            /* of the last complete frame */
    uint32_t crushed_frames;    /* complete ones above WEIR_CRUSHED_ERROR, since the start */
    BASE_ARRAY(sim_file) files; /* that the scene reads */
    double last_time_s;
    uint64_t pushed_frame;          /* that body_pushes are of; 0: none has finished yet */
    vec4 *solid_forces;             /* likewise, like sim_buffers.solid_forces, */
    vec3 *solid_places;             /* and where the solids' poses are at that frame's end */
    struct body_state *body_states; /* of the last complete frame; NULL without bodies */
    struct body_push *body_pushes;  /* likewise */
    struct soft_state *soft_states; /* likewise, per vertex of cloths and ropes, then flags */
    uint32_t *soft_pieces;    /* three per facet: triangles and edges of ropes, as last read */
    vec4 *readings;           /* of the last complete frame, like sim_buffers.readings */
    uint32_t *errors;         /* likewise, like sim_frame.errors */
    double gpu_ms, record_ms; /* of the last complete frame */
    weir_result failed;       /* not OK: the device holds no whole state until a restore */
    bool unstable; /* too many particles are lost, or the fluid has collapsed; until a restore */
    double mass_kg, start_kinetic_j, start_energy_j; /* of the fill */
    bool warned_of_speed, warned_of_viscosity, warned_of_tolerance, warned_of_room;
    bool warned_of_bodies;
    uint32_t room;   /* particles that a closed domain holds; UINT32_MAX: not known, or no matter */
    bool has_cells;  /* of either kind */
    double column_m; /* height of the fluid along gravity at the start */
    double stiffness;   /* D h^2 of the rest lattice, for the hydrostatic law */
    double lattice_sum; /* S0 */
    uint64_t memory_before;
};

/* ---- parts of a world ----------------------------------------------------------------------- */

/* Factors of the kernels and the lattice sums, from the scene (docs/equations.md). */
void sim_params_fill(sim_world *world);
/* Gravity as it is at a time. */
void sim_follow_gravity(sim_world *world, double time_s);
/* The factor of a pair's viscous force, kg/(m3 s), of a viscosity in Pa s. */
float sim_viscous_drag(const sim_world *world, float viscosity);
/* The cells of the long-range correction or of the MAC grid. The choice takes the depth and the
 * parameters and fills in those of cells. Errors: ARGUMENT for too many cells. */
void sim_cells_choose(sim_world *world);
weir_result sim_cells_create(sim_world *world);
/* Makes room for that many blocks; their buffers' contents are lost. */
uint64_t sim_cell_bytes(const sim_world *world); /* of device memory; 0 without cells */
weir_result sim_cells_grow(sim_world *world, uint32_t blocks);

/* Creates what is made with `with`, for the world as it is; destroys it; its bytes. */
weir_result sim_buffers_create(sim_world *world, sim_lifetime with);
void sim_buffers_destroy(sim_world *world, sim_lifetime with);
uint64_t sim_buffers_bytes(const sim_world *world, sim_lifetime with);
/* Those of particles, for as many. */
weir_result sim_particle_buffers_create(sim_world *world, uint32_t capacity);
/* Those of all frames. */
weir_result sim_frame_buffers_create(sim_world *world);
void sim_frame_buffers_destroy(sim_world *world);
/* A buffer of the device with `count` elements of `stride` bytes; one in host memory. */
weir_result sim_buffer_create(sim_world *world, const char *name, uint32_t stride, uint64_t count,
                              gpu_buffer **buffer);
weir_result sim_host_buffer_create(sim_world *world, const char *name, uint64_t bytes,
                                   gpu_buffer **buffer);
uint64_t sim_pose_count(const sim_world *world); /* of items, in all substeps of a frame */
/* Faces of the MAC grid's cells, or particles, whose velocities viscosity solves for; 0: none. */
uint64_t sim_unknown_count(const sim_world *world);
/* Makes room when a fluid has become viscous. */
weir_result sim_viscous_buffers_grow(sim_world *world);
weir_result sim_gauges_create(sim_world *world);
void sim_gauges_destroy(sim_world *world);
uint64_t sim_reading_bytes(const sim_world *world); /* of a frame */
uint64_t sim_residual_bytes(
    const sim_world *world); /* of SIM_ERRORS_WORDS per substep; 0 without residuals */
/* The emitters' sites and buffers. */
weir_result sim_emitters_create(sim_world *world);
struct sim_emitter sim_emitter_describe(const scene_emitter *emitter, float d, uint32_t first_site);
/* Emitters that move. Layers of a frame that it has to keep apart at most; 0: none moves. */
uint32_t sim_moved_layers(const scene_data *scene);
bool sim_emitter_moves(const scene_emitter *emitter);
weir_result sim_nozzles_create(sim_world *world);
/* Before the layers of a frame are planned. */
void sim_nozzles_begin(sim_world *world, double start_s, double end_s);
/* NULL where the emitter is the scene's alone. */
const sim_nozzle *sim_nozzle_taken(const sim_world *world, uint32_t emitter);
/* What a layer finds that leaves at a time within the frame from span[0] to span[1]. */
struct sim_emitter sim_nozzle_at(const sim_world *world, uint32_t emitter, double time_s,
                                 const double span[2]);
/* Their part of a saved state, one for each emitter; no bytes where none is steered. */
typedef struct sim_saved_nozzle {
    scene_pose pose;
    float speed;
    uint32_t taken, open, unused;
    double origin_s;
} sim_saved_nozzle;
uint64_t sim_nozzle_bytes(const sim_world *world);
void sim_nozzles_save(const sim_world *world, sim_saved_nozzle *saved);
/* Bytes that need no alignment. */
bool sim_nozzles_sane(const sim_world *world, const void *saved);
void sim_nozzles_restore(sim_world *world, const void *saved);

/* The kernels that no table names; those of the tables are made with their rows, so that a scene
 * waits for what it uses alone. */
weir_result sim_kernels_create(sim_world *world);
weir_result sim_kernel_need(sim_world *world, int kernel);
/* Makes room in the grid; rows must be made anew. */
weir_result sim_grid_grow(sim_world *world, grid_capacity capacity);
void sim_kernels_destroy(sim_world *world);
/* Do particles carry the velocity's gradient (APIC)? */
bool sim_is_affine(const sim_world *world);
/* Does a substep look at the velocities of neighbours? */
bool sim_gathers_velocity(const sim_world *world);
/* A row of a kernel with all that it binds. */
gpu_row sim_make_row(const sim_world *world, int kernel, gpu_domain domain);
/* Makes all rows anew, after buffers or kernels have changed. */
weir_result sim_rows_build(sim_world *world);
/* Particles that a planned frame adds, at most. */
uint32_t sim_frame_emits(const sim_frame *frame);
/* Makes room in a slot for as many particles as there is room for; later says how many the planned
 * frame can leave. */
weir_result sim_slot_make(sim_world *world, sim_slot *slot);
void sim_slot_bound(const sim_world *world, const sim_frame *frame, sim_slot *slot);
/* Records what fills the frame's slot. */
weir_result sim_slot_record(sim_world *world, const sim_frame *frame);
/* The row that lets the frame's pointer act, once at its start. */
gpu_row sim_pointer_row(const sim_world *world);
/* Likewise the row of the hand. */
gpu_row sim_drag_row(const sim_world *world);

void sim_order_destroy(sim_world *world);

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Bytes of their state; 0 without bodies. */
uint64_t sim_body_bytes(const sim_world *world);
uint64_t sim_push_bytes(const sim_world *world); /* of what fluid does to them */
uint64_t sim_hold_bytes(const sim_world *world); /* of the forces of their contacts */
/* Of all bodies together, kg, J. */
/* m/s, of their points, as the fluid's speeds count for an adaptive frame: the same as
 * shaders/sim/fastest_body.comp, without what they will fall. */
float sim_fastest_body(const sim_world *world);
double sim_body_mass(const sim_world *world);
void sim_body_energies(const sim_world *world, double *kinetic, double *potential_j);
/* Those that sleep move again. */
weir_result sim_wake_bodies(sim_world *world);
/* What a complete frame has left; warns of bodies that are lost. */
void sim_keep_bodies(sim_world *world, const sim_frame *frame);
/* Warns once when the speed cap has cut the speed of a body; after sim_keep_forces. */
void sim_check_body_speeds(sim_world *world, const sim_result *seen, uint64_t frame);
/* Is it a turn, that is of length 1? */
bool sim_is_turn(quat q);
/* Could a run have saved these? Bytes that need no alignment. */
bool sim_bodies_sane(const sim_world *world, const void *saved);

/* ---- what fluid does to bodies and solids ---------------------------------------------------- */

bool sim_sums_forces(const sim_world *world);     /* on solids */
bool sim_measures_force(const scene_data *scene); /* likewise, or a gauge does */
uint64_t sim_force_bytes(const sim_world *world);
weir_result sim_forces_create(sim_world *world);
void sim_forces_destroy(sim_world *world);
/* Takes what a complete frame has left. */
void sim_keep_forces(sim_world *world, const sim_frame *frame);
/* Nothing is known until a frame has finished. */
void sim_forget_forces(sim_world *world);

/* ---- cloths and ropes ------------------------------------------------------------------------ */

weir_result sim_softs_create(sim_world *world);
/* Bytes of their state; 0 without any. */
uint64_t sim_soft_bytes(const sim_world *world);
/* Of all together, kg, J. */
double sim_soft_mass(const sim_world *world);
uint32_t sim_soft_torn(const sim_world *world); /* edges of all that have torn */
void sim_soft_energies(const sim_world *world, double *kinetic, double *potential_j);
/* The states after a complete frame; warns of vertices that are lost. */
void sim_keep_softs(sim_world *world, const struct soft_state *states);
/* As sim_bodies_sane. */
bool sim_softs_sane(const sim_world *world, const void *saved);

/* Of a kilogram at x, J: gravity and central fields. */
double sim_potential_at(const struct sim_params *p, const vec4 *x);

/* ---- limits --------------------------------------------------------------------------------- */

/* Of the fluid as the solver makes it, m/s (docs/equations.md), and C at the floor. */
double sim_sound_speed(const sim_world *world, double dt);
double sim_predicted_compression(const sim_world *world, double dt);
/* The same for the fluid that a scene starts with, and whether that is visible. */
/* Sets `room`. */
void sim_measure_room(sim_world *world);
/* Particles that emitters kept back because the domain was full. */
uint32_t sim_withheld(const sim_world *world);
/* Mean over the particles, of max(rho/rho0 - 1, 0), in the last complete frame. */
double sim_density_error(const sim_world *world);

/* Hashes the files that the scene reads. Errors: IO, MEMORY. */
weir_result sim_files_hash(sim_world *world);
/* Compares them with those of a checkpoint at `path`, which is of the same scene. Errors: ARGUMENT.
 */
weir_result sim_files_check(const sim_world *world, const char *path, const uint64_t *hashes);
/* The fluid's extent along gravity at the start, for the hydrostatic law. */
void sim_measure_column(sim_world *world, const sim_particles *particles);
double sim_longest_substep(const scene_data *scene); /* s */
double sim_compression_at_start(const sim_world *world);
bool sim_is_soft(const sim_world *world);
/* Would a tolerance, by the hydrostatic law, take more iterations than the long-range correction
 * costs? */
bool sim_is_slow(const sim_world *world);
/* Either of these keeps the compression at the floor under 1 % where substeps take dt now. */
typedef struct sim_settings {
    uint32_t substeps, iterations;
} sim_settings;
sim_settings sim_firm_settings(const sim_world *world, double dt);
/* Warns where the scene leaves the range in which the solver works. */
void sim_warn_limits(const sim_world *world);
/* Spacings that a particle or a solid may move in a substep. */
double sim_speed_limit(const scene_solver *solver);
/* Warns of solids that move farther in a substep than particles see. */
void sim_warn_fast_solids(const weir_log *log, const scene_data *scene,
                          const struct solid_set *solids);
/* Warns of bodies that start so fast that they may pass through what is thin. */
void sim_warn_fast_bodies(const weir_log *log, const scene_data *scene);
void sim_measure_start(sim_world *world, const sim_particles *particles);
/* Warns once when the fastest particle moves too far in a substep. */
void sim_check_speed(sim_world *world, double speed, double dt, double time_s);
/* Warns once when a viscous solve has ended before its tolerance. */
void sim_check_viscosity(sim_world *world, const struct sim_status *status, double time_s);
/* Warns once when iterations have ended above the tolerance. */
void sim_check_tolerance(sim_world *world, const sim_result *seen, double time_s);
/* Of fluid, bodies, cloths and ropes, J. */
double sim_energy(const sim_world *world, const sim_result *seen);
/* Have fluid and bodies that nothing drives gained more energy than a fall across the domain, their
 * start and motion by a spacing each substep together could give? */
bool sim_has_exploded(const sim_world *world, const sim_result *seen);

/* Device memory for one particle, its list included, in the world as it is. */
uint64_t sim_world_particle_bytes(const sim_world *world);

#endif
