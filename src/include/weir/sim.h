/* Simulations: stepping, reading and writing particles, checkpoints, statistics, control by the
 * host program, and gauges. weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_SIM_PUBLIC_H
#define WEIR_SIM_PUBLIC_H

#include "points.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_sim weir_sim;

/* Creates a simulation of a scene: fills the fluids with particles and uploads everything. Keeps
 * the scene alive. Waits. Errors: SCENE (a fluid without particles, or entirely inside a solid), IO
 * (a mesh or particle file), MEMORY (the log states how much is missing). */
WEIR_API weir_result weir_sim_create(weir_device *device, const weir_scene *scene, weir_sim **sim);
WEIR_API void weir_sim_destroy(weir_sim **sim);

/* Records and submits one frame of `seconds`, at least 0; 0 means the scene's frame time. Does not
 * wait for the frame; for a scene with whitewater it waits for the frame before. Errors: ARGUMENT
 * (emitters would release more layers than a frame can hold), DEVICE_LOST, MEMORY, UNSTABLE. The
 * last three may come from an earlier frame and persist until weir_sim_restore succeeds. The state
 * can be read while UNSTABLE persists, but not after DEVICE_LOST or MEMORY. */
WEIR_API weir_result weir_sim_step(weir_sim *sim, double seconds);

/* Waits until all submitted frames have finished. A frame that needed a larger buffer is replayed
 * with that buffer. Errors: those of weir_sim_step. */
WEIR_API weir_result weir_sim_wait(weir_sim *sim);

/* Lets a program draw while a frame is computed. From now on weir_sim_step and weir_sim_wait submit
 * a frame in slices of about `slice_ms` of device time, above 0, wait for each slice but the last,
 * and call `yield` between two slices, on the same thread. During that call, the program may draw
 * and present points that it acquired before, but must not use `sim`. The results are bit for bit
 * those without slices. NULL `yield` ends this. Errors: ARGUMENT. */
WEIR_API weir_result weir_sim_set_yield(weir_sim *sim, void (*yield)(void *user), void *user,
                                        double slice_ms);

/* Reads the number of particles alive after the last finished frame. Waits. Errors: those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_get_particle_count(weir_sim *sim, uint32_t *count);

/* Copies one field of all particles to `out`, in order of particle id. `size` is the size of `out`
 * in bytes and must equal the particle count times the element size of weir_field. Waits. Errors:
 * ARGUMENT (wrong size), those of weir_sim_wait. */
WEIR_API weir_result weir_sim_read_field(weir_sim *sim, weir_field field, void *out, size_t size);

/* Replaces the positions, m, or velocities, m/s, of all particles: `field` is WEIR_FIELD_POSITION
 * or WEIR_FIELD_VELOCITY, `values` [3 * particle count] is in order of particle id, `size` is its
 * size in bytes. New velocities also clear the velocity gradients of APIC. In two dimensions z is
 * ignored. The statistics are updated by the next frame. Waits. Errors: ARGUMENT, with nothing
 * changed (wrong size, a position outside the domain, a number that is not finite), MEMORY, those
 * of weir_sim_wait. */
WEIR_API weir_result weir_sim_write_field(weir_sim *sim, weir_field field, const float *values,
                                          size_t size);

/* Copies the particles of the last finished frame on the device, in an order that is the same for
 * equal states. Waits for that frame, not for the copy. Memory of released points is reused, so a
 * loop that acquires and releases does not grow. The points may outlive the simulation. Errors:
 * MEMORY, those of weir_sim_wait except UNSTABLE. */
WEIR_API weir_result weir_sim_acquire_points(weir_sim *sim, weir_points **points);

/* Mean density error above which a frame counts as overcompressed: no healthy simulation reaches
 * it, so something is crushing the fluid. */
#define WEIR_OVERCOMPRESSION 0.1

/* Statistics of the last finished frame. */
typedef struct weir_stats {
    double time_s;              /* simulated time, s */
    uint64_t frame;             /* number of the frame; 0: the initial state */
    uint64_t substep;           /* substeps finished since the start */
    uint32_t particle_count;    /* particles alive */
    uint32_t substeps_in_frame; /* 0 before the first frame */
    double density_error_mean;  /* mean over the particles of max(rho/rho0 - 1, 0) */
    double density_error_max;   /* maximum over the particles */
    uint64_t iterations;        /* density (with a MAC grid: pressure) iterations since the start */
    uint32_t iterations_in_frame;  /* sum over the substeps of the frame */
    uint32_t unconverged_substeps; /* substeps of the frame that ended above solver.tolerance */
    /* With a tolerance, the largest mean and the largest maximum of the density error at which the
     * iterations of a substep ended; else 0. */
    double solver_error_mean;
    double solver_error_max;
    double neighbours_mean; /* neighbours per particle */
    uint32_t neighbours_max;
    double speed_max_m_s;             /* m/s */
    double kinetic_energy_j;          /* J, of the fluid */
    double potential_energy_j;        /* J, of the fluid against gravity from the origin */
    double bodies_kinetic_energy_j;   /* J, of bodies and deformables */
    double bodies_potential_energy_j; /* J, of bodies and deformables */
    double momentum_kg_m_s[3];        /* kg m/s, of the fluid */
    double centre_of_mass_m[3];       /* m, of the fluid */
    uint64_t clamped_corrections;   /* corrections clamped to the solver's limit since the start */
    uint64_t clamped_speeds;        /* speeds clamped to the solver's limit since the start */
    uint32_t removed_non_finite;    /* non-finite particles removed since the start */
    uint32_t removed_outside;       /* particles removed outside the domain */
    uint32_t removed_by_sinks;      /* particles removed by sinks */
    uint32_t not_emitted;           /* particles that emitters could not add */
    uint32_t torn_edges;            /* torn edges of deformables */
    uint32_t reseeded;              /* particles moved by solver.reseed since the start */
    uint32_t overcompressed_frames; /* frames above WEIR_OVERCOMPRESSION */
    uint32_t recommended_substeps;  /* for a predicted_compression below 1 % */
    double predicted_compression;   /* fraction at the floor; hydrostatic law: docs/equations.md */
    double sound_speed_m_s;     /* m/s, effective speed of sound of the solver: docs/equations.md */
    double inverse_mach_number; /* sound_speed / speed_max; 0 at rest; below 10 fluid looks soft */
    uint32_t viscous_iterations; /* of all viscosity solves of the frame; 0 without any */
    double viscous_residual; /* largest final residual of a solve, relative to its initial one */
    uint32_t spray;          /* whitewater particles alive, by kind */
    uint32_t foam;
    uint32_t bubbles;
    uint32_t tracers;
    uint32_t emitted_by_trapped_air; /* whitewater emitted in the frame, by cause */
    uint32_t emitted_by_wave_crests;
    uint32_t emitted_by_curl;
    double gpu_ms;         /* GPU time of the frame; 0 when it cannot be measured */
    double record_ms;      /* CPU time to record and submit the frame, without waiting */
    uint64_t memory_bytes; /* device memory of this simulation */
    /* Includes neighbour lists and the cells of a MAC grid or of solver.long_range_correction, but
     * not the tables of the sort. */
    double memory_bytes_per_particle;
} weir_stats;

/* Reads the statistics of the last finished frame. Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_stats(weir_sim *sim, weir_stats *stats);

/* Computes a 64-bit hash of the time and of position, velocity, id and fluid of all particles.
 * Equal runs on the same device and driver have equal hashes. Waits. Errors: those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_get_state_hash(weir_sim *sim, uint64_t *hash);

/* Writes a checkpoint with the complete state. A simulation of the same scene that is restored from
 * it continues bit for bit the same on the same device and driver. Waits. Errors: IO, MEMORY, those
 * of weir_sim_wait. */
WEIR_API weir_result weir_sim_save(weir_sim *sim, const char *path);

/* Restores the state from a checkpoint of weir_sim_save. Waits. Errors: IO, MEMORY, ARGUMENT (the
 * checkpoint is of another scene or another version of Weir). */
WEIR_API weir_result weir_sim_restore(weir_sim *sim, const char *path);

/* ---- control by the host program ----------------------------------------------------------- */

/* A force along a ray, such as the viewer's mouse exerts. */
typedef struct weir_ray_force {
    float origin[3];    /* m */
    float direction[3]; /* any length but 0 */
    float radius_m;     /* particles closer to the ray than this are accelerated; above 0 */
    /* m/s2 at the ray, decreasing with distance: above 0 away from the ray, below 0 towards it. 0:
     * no force, and other fields are ignored. */
    float acceleration;
} weir_ray_force;

/* An emitter controlled by the host program, about three particle spacings wide. */
typedef struct weir_hose {
    float position[3];  /* m, centre of the opening */
    float direction[3]; /* any length but 0 */
    float speed;        /* m/s, 0 to 1000; 0: closed, and other fields are ignored */
    uint32_t fluid;     /* index of the fluid in the scene */
} weir_hose;

/* External influences on a running simulation. Zeros: none. */
typedef struct weir_sim_controls {
    /* The scene from now on; NULL: no change. It may differ from the current scene only in
     * parameters with weir_param.live, such as gravity, iterations and viscosities. */
    const weir_scene *scene;
    weir_ray_force ray_force;
    weir_hose hose;
} weir_sim_controls;

/* Sets the external influences, from the next frame until the next call. Checkpoints contain
 * neither ray force nor hose. Waits when the scene changes or the hose opens for the first time.
 * Errors: ARGUMENT, with nothing changed (also when the scene differs in parameters that are not
 * live), those of weir_sim_create. */
WEIR_API weir_result weir_sim_set_controls(weir_sim *sim, const weir_sim_controls *controls);

/* Pose of a solid. As with keyframes, the shape is rotated about the world's origin, then moved, so
 * the pose alone places a shape that the scene defines at the origin. */
typedef struct weir_solid_pose {
    float position[3]; /* m */
    float rotation[4]; /* unit quaternion x y z w */
    bool teleport; /* at the pose from the start of the frame, without pushing fluid on the way */
} weir_solid_pose;

/* Moves the solid with the given name, whose motion must be {"host_driven": true}, steadily during
 * the next frame from its current pose to `pose`, where it stays until the next call. Before the
 * first call the solid is where the scene defines its shape. In two dimensions position z is
 * ignored. Checkpoints contain the current pose, not the target. Does not wait. Errors: ARGUMENT,
 * with nothing changed. */
WEIR_API weir_result weir_sim_set_solid(weir_sim *sim, const char *name,
                                        const weir_solid_pose *pose);

/* State of an emitter's opening. */
typedef struct weir_emitter {
    /* m: the centre of the opening, inside the domain. Of an emitter with a shape: how far the
     * shape has moved from its place in the scene. */
    float position[3];
    float direction[3]; /* direction of the flow; any length but 0 */
    /* Direction of a rectangle's height. Its component along `direction` is removed; if nothing
     * remains, any perpendicular direction is used. */
    float up[3];
    float speed; /* m/s, of the fluid relative to the opening: 0.001 to 1000 */
    bool open;
    /* The opening is at its place from the start of the frame, and the jump adds no velocity. */
    bool teleport;
} weir_emitter;

/* Reads the state of the emitter with the given name at the end of the last submitted frame;
 * `teleport` is false. One that a body carries is where it is at the start of the scene. Does not
 * wait. Errors: ARGUMENT. */
WEIR_API weir_result weir_sim_get_emitter(weir_sim *sim, const char *name, weir_emitter *emitter);

/* Opens, closes and moves the emitter with the given name, whose motion must be
 * {"host_driven": true}. It moves steadily during the next frame from its current place to the new
 * one, and the velocity of the opening is added to that of its fluid; `speed` and `open` apply from
 * the start of that frame. The state lasts until the next call. Before the first call the emitter
 * is as in the scene; afterwards the scene's `start` and `end` are ignored, but max_particles still
 * applies. In two dimensions z is ignored. Checkpoints contain the current place, speed and `open`,
 * not the target. Does not wait. Errors: ARGUMENT, with nothing changed. */
WEIR_API weir_result weir_sim_set_emitter(weir_sim *sim, const char *name,
                                          const weir_emitter *emitter);

/* ---- gauges --------------------------------------------------------------------------------- */

/* Quantity that one of a scene's `gauges` measures. */
typedef enum weir_gauge_kind {
    WEIR_GAUGE_HEIGHT,   /* m, of the fluid along the axis of the gauge's box */
    WEIR_GAUGE_FRONT,    /* m, from the side where the axis enters the box to the farthest fluid */
    WEIR_GAUGE_PRESSURE, /* Pa */
    WEIR_GAUGE_FORCE,    /* N, on the solid: x, y, z */
    WEIR_GAUGE_FLOW,     /* m3/s */
} weir_gauge_kind;

typedef struct weir_gauge {
    const char *name; /* lives as long as the scene */
    const char *unit; /* "m", "Pa", "N" or "m3/s"; lives as long as the program */
    weir_gauge_kind kind;
    uint32_t components; /* number of values: 3 for a force, else 1 */
    double value[3];
} weir_gauge;

#define WEIR_ENTIRE_FRAME UINT32_MAX

/* Reads the gauges, in the order of the scene, after substep `substep` of the last finished frame,
 * counted from 0. WEIR_ENTIRE_FRAME: heights and fronts at the end of the frame, other quantities
 * averaged over its substeps. A gauge with `average` gives the mean over that time up to the
 * substep or the end of the frame, or since the start of a shorter run. *count: capacity of
 * `gauges` on entry, number of gauges on return; NULL `gauges` returns only the number. Waits.
 * Errors: ARGUMENT when the frame has no such substep, or before the first frame. */
WEIR_API weir_result weir_sim_get_gauges(weir_sim *sim, uint32_t substep, weir_gauge *gauges,
                                         uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
