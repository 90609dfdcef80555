/* Simulations: stepping, reading, steering, saving, statistics and gauges.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_SIM_PUBLIC_H
#define WEIR_SIM_PUBLIC_H

#include "points.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_sim weir_sim;

/* Makes the fluids' particles and uploads everything. Waits. Errors: SCENE (a fluid without
 * particles, or wholly inside a solid), IO (a mesh or particle file), MEMORY (the log says how much
 * is missing). */
WEIR_API weir_result weir_sim_create(weir_device *device, const weir_scene *scene, weir_sim **sim);
WEIR_API void weir_sim_destroy(weir_sim **sim);

/* Records and submits one frame of `seconds` (0: the scene's frame time); does not wait for it;
 * with whitewater in the scene it waits for the frame before. Errors: ARGUMENT (emitters would
 * release more layers than one frame can hold), DEVICE_LOST, MEMORY, UNSTABLE. The last three can
 * be those of an earlier frame; each stays until weir_sim_restore succeeds. The state can be read
 * while UNSTABLE stays, but not after the other two. */
WEIR_API weir_result weir_sim_step(weir_sim *sim, double seconds);

/* Waits until all submitted frames are finished. Repeats a frame that needed a larger buffer, with
 * that buffer. Errors: those of weir_sim_step. */
WEIR_API weir_result weir_sim_wait(weir_sim *sim);

/* Particles alive after the last finished frame. Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_particle_count(weir_sim *sim, uint32_t *count);

/* Copies one field of all particles, in order of particle id, into the `size` bytes at `out`: the
 * count times the size of an element. Waits. Errors: ARGUMENT for another size, those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_read_field(weir_sim *sim, weir_field field, void *out, size_t size);

/* Gives all particles other positions, m, or velocities, m/s: `field` is WEIR_FIELD_POSITION or
 * WEIR_FIELD_VELOCITY, `values` [3 * particles] as weir_sim_read_field has them, `size` their
 * bytes. Velocities replace all motion: APIC forgets its gradients. In the plane what is along z
 * does not count. The statistics follow with the next frame. Waits. Errors: ARGUMENT (another size,
 * a place outside the domain, a number that is not finite; nothing has changed then), MEMORY, those
 * of weir_sim_wait. */
WEIR_API weir_result weir_sim_write_field(weir_sim *sim, weir_field field, const float *values,
                                          size_t size);

/* The particles of the last finished frame, in an order that is the same for equal states. Waits
 * for that frame, not for the copy. Released memory is used again, so that a loop that acquires and
 * releases takes no more. The points may outlive the simulation. Errors: MEMORY, those of
 * weir_sim_wait except UNSTABLE. */
WEIR_API weir_result weir_sim_acquire_points(weir_sim *sim, weir_points **points);

/* A mean density error that no fluid has: above, something crushes it. */
#define WEIR_OVERCOMPRESSION 0.1

/* Figures of the last finished frame. */
typedef struct weir_stats {
    double time_s;              /* simulated */
    uint64_t frame;             /* its number; 0: the start */
    uint64_t substep;           /* finished since the start */
    uint32_t particle_count;    /* alive */
    uint32_t substeps_in_frame; /* 0 before the first frame */
    double density_error_mean;  /* over the particles, of max(rho/rho0 - 1, 0) */
    double density_error_max;
    uint64_t iterations; /* of the density, or of the pressure on a grid, since the start */
    uint32_t iterations_in_frame;  /* of all its substeps */
    uint32_t unconverged_substeps; /* its substeps that ended above solver.tolerance */
    double solver_error_mean; /* with a tolerance: largest density error, mean and maximum, with */
    double solver_error_max;  /* which iterations of the frame ended; else 0 */
    double neighbours_mean;   /* per particle */
    uint32_t neighbours_max;
    double speed_max_m_s;             /* m/s */
    double kinetic_energy_j;          /* J */
    double potential_energy_j;        /* the latter against gravity from the origin */
    double bodies_kinetic_energy_j;   /* J */
    double bodies_potential_energy_j; /* with those of cloths and ropes */
    double momentum_kg_m_s[3];        /* kg m/s */
    double centre_of_mass_m[3];       /* m */
    uint64_t clamped_corrections;     /* corrections cut to the solver's limit since the start */
    uint64_t clamped_speeds;          /* speeds cut to the solver's limit since the start */
    uint32_t removed_non_finite;      /* particles removed because a number was not finite */
    uint32_t removed_outside;         /* particles removed outside the domain, and by sinks */
    uint32_t removed_by_sinks;
    uint32_t not_emitted;           /* kept back by emitters */
    uint32_t torn_edges;            /* edges of cloths and ropes that tore */
    uint32_t reseeded;              /* moves by solver.reseed */
    uint32_t overcompressed_frames; /* above WEIR_OVERCOMPRESSION */
    uint32_t recommended_substeps;  /* substeps with which predicted_compression stays below 1 % */
    double
        predicted_compression;  /* at the floor, a fraction; hydrostatic law in docs/equations.md */
    double sound_speed_m_s;     /* m/s, of the fluid as the solver makes it; docs/equations.md */
    double inverse_mach_number; /* sound_speed / speed_max; 0 at rest. Below 10 it looks soft */
    uint32_t viscous_iterations; /* of all viscous solves of the frame; 0 without any */
    double viscous_residual;     /* largest that one of them ended with, over its first one */
    uint32_t spray;              /* whitewater alive; what was born in the frame, by cause: */
    uint32_t foam;
    uint32_t bubbles;
    uint32_t emitted_by_trapped_air;
    uint32_t emitted_by_wave_crests;
    uint32_t emitted_by_curl;
    double gpu_ms;                    /* GPU time; 0 where it cannot be measured */
    double record_ms;                 /* CPU time to record and submit the frame, without waits */
    uint64_t memory_bytes;            /* device memory of this simulation */
    double memory_bytes_per_particle; /* with neighbour lists and the cells of a MAC grid or of
                                         solver.long_range_correction, without the sort's tables */
} weir_stats;

/* Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_stats(weir_sim *sim, weir_stats *stats);

/* A 64-bit hash of the time and of position, velocity, id and fluid of all particles. Equal runs on
 * one device and driver have equal hashes. Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_state_hash(weir_sim *sim, uint64_t *hash);

/* Writes the whole state into a file. A simulation of the same scene that is restored from it goes
 * on bit for bit the same on the same device and driver. Waits. Errors: IO, MEMORY, those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_save(weir_sim *sim, const char *path);

/* Reads what weir_sim_save wrote. Waits. Errors: IO, MEMORY, ARGUMENT when the file belongs to
 * another scene or version of Weir. */
WEIR_API weir_result weir_sim_restore(weir_sim *sim, const char *path);

/* ---- what acts from outside --------------------------------------------------------------- */

/* A force along a ray, such as the mouse's into the scene. */
typedef struct weir_ray_force {
    float origin[3];    /* m */
    float direction[3]; /* of any length but 0 */
    float radius_m;     /* particles nearer to the ray than this are moved; above 0 */
    float acceleration; /* m/s2 at the ray, less with distance: above 0 pushes away from the ray,
                           below 0 pulls towards it; 0: no force, other fields do not matter */
} weir_ray_force;

/* Fluid from an opening about three particle spacings wide. */
typedef struct weir_hose {
    float position[3];  /* m, of the opening's middle */
    float direction[3]; /* of any length but 0 */
    float speed;        /* m/s, 0 to 1000; 0: closed, other fields do not matter */
    uint32_t fluid;     /* index in the scene */
} weir_hose;

/* What acts on a running simulation from outside. Zeros: nothing. */
typedef struct weir_sim_controls {
    const weir_scene *scene; /* the scene from now on; NULL: no change. It may differ from the scene
                                so far in parameters with weir_param.live alone: gravity,
                                iterations, viscosities and others */
    weir_ray_force ray_force;
    weir_hose hose;
} weir_sim_controls;

/* Steers from the next frame on until the next call. Saved states hold neither pointer nor jet.
 * Waits when the scene changes or the jet opens for the first time. Errors: ARGUMENT (nothing has
 * changed then), also when the scene differs in parameters that are not live; those of
 * weir_sim_create. */
WEIR_API weir_result weir_sim_set_controls(weir_sim *sim, const weir_sim_controls *steering);

/* The solid's shape is turned about the world's origin, then moved, as by keyframes: a shape that
 * the scene has at the origin is placed by the pose alone. */
typedef struct weir_solid_pose {
    float position[3]; /* m */
    float rotation[4]; /* quaternion x y z w, of length 1 */
    bool teleport;     /* it is there when the frame begins, and pushes nothing on its way */
} weir_solid_pose;

/* Moves a solid of the scene, by name, whose motion is {"host_driven": true}: evenly, during the
 * next frame, from where it is to `pose`. It stays there until the next call. In the plane the
 * position along z does not count. Before the first call the solid is where the scene has its
 * shape. Saved states hold where it is, not where it is going. Errors: ARGUMENT (nothing has
 * changed then). */
WEIR_API weir_result weir_sim_set_solid(weir_sim *sim, const char *name,
                                        const weir_solid_pose *pose);

/* The opening of an emitter. */
typedef struct weir_emitter {
    float position[3];  /* m, of its centre, in the domain */
    float direction[3]; /* where the fluid goes; any length but 0 */
    float up[3];        /* along the height of a rectangle; what of it is along the direction does
                           not count, and where nothing is left, any will do */
    float speed;        /* m/s, of the fluid as seen from the opening: 0.001 to 1000 */
    bool open;
    bool teleport; /* it is there when the frame begins, and its fluid gets nothing of the way */
} weir_emitter;

/* Where an emitter of the scene, by name, is at the end of the last begun frame, and how fast its
 * fluid leaves. `jump` is false. Does not wait. Errors: ARGUMENT. */
WEIR_API weir_result weir_sim_get_emitter(weir_sim *sim, const char *name, weir_emitter *emitter);

/* Opens, closes and moves an emitter of the scene, by name, whose motion is {"host_driven": true}.
 * It moves evenly, during the next frame, from where it is to where it has to be, and its fluid has
 * the velocity of the opening besides its own; speed and `open` hold from the start of that frame.
 * All stays so until the next call. Before the first call it is as the scene has it; from then on
 * `start` and `end` of the scene do not count, max_particles does. In the plane what is along z
 * does not count. Saved states hold where it is, its speed, and whether it is open, not where it is
 * going. Does not wait. Errors: ARGUMENT (nothing has changed then). */
WEIR_API weir_result weir_sim_set_emitter(weir_sim *sim, const char *name,
                                          const weir_emitter *emitter);

/* ---- gauges --------------------------------------------------------------------------------- */

/* What one of a scene's `gauges` measures. */
typedef enum weir_gauge_kind {
    WEIR_GAUGE_HEIGHT,   /* m, of the fluid along the axis of the gauge's box */
    WEIR_GAUGE_FRONT,    /* m, from the side where the axis enters the box to the farthest fluid */
    WEIR_GAUGE_PRESSURE, /* Pa */
    WEIR_GAUGE_FORCE,    /* N on the solid: x, y, z */
    WEIR_GAUGE_FLOW,     /* m3/s */
} weir_gauge_kind;

typedef struct weir_gauge {
    const char *name; /* lives as long as the scene */
    const char *unit; /* "m", "Pa", "N", "m3/s"; lives as long as the program */
    weir_gauge_kind kind;
    uint32_t components; /* 3 for a force, else 1 */
    double value[3];
} weir_gauge;

#define WEIR_ENTIRE_FRAME UINT32_MAX

/* The gauges, in the order of the scene, after substep `substep`, counted from 0, of the last
 * finished frame. WEIR_ENTIRE_FRAME: heights and fronts at the frame's end, the others averaged
 * over its substeps. *count: room in `gauges` on entry, gauges on return; gauges NULL asks for the
 * count alone. Waits. Errors: ARGUMENT when the frame had no such substep or before the first
 * frame. */
WEIR_API weir_result weir_sim_get_gauges(weir_sim *sim, uint32_t substep, weir_gauge *gauges,
                                         uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
