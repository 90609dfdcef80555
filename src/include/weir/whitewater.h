/* Whitewater for stored frames of any program: spray, foam and bubbles. A simulation of a scene
 * with `whitewater` creates its own. weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_WHITEWATER_PUBLIC_H
#define WEIR_WHITEWATER_PUBLIC_H

#include "bodies.h"
#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_whitewater weir_whitewater;

/* Creates empty whitewater. From the scene it takes gravity, domain, solids, spacing, and the key
 * `whitewater`, or that key's defaults; fluids and emitters only determine the height of the fluid.
 * Keeps the scene alive. Errors: ARGUMENT (a scene without gravity, or with two dimensions),
 * MEMORY, IO, SCENE. */
WEIR_API weir_result weir_whitewater_create(weir_device *device, const weir_scene *scene,
                                            weir_whitewater **whitewater);
WEIR_API void weir_whitewater_destroy(weir_whitewater **whitewater);

/* Advances the whitewater to a frame at `time_s`, which must be later than the frame before. The
 * first frame only gives the initial state of the fluid. `points` of the same device need
 * velocities, and ids when particles are added, removed or reordered; without ids a particle is
 * identified by its index. `number` is the frame number, which seeds the random numbers. The same
 * frames give the same whitewater as their simulation. Waits. Errors: ARGUMENT, MEMORY,
 * DEVICE_LOST. */
WEIR_API weir_result weir_whitewater_step(weir_whitewater *whitewater, const weir_points *points,
                                          double time_s, uint64_t number);

/* Sets the poses of the scene's bodies at the end of the next frame. Whitewater collides with
 * bodies, and they count as filled space when the kind of a whitewater particle is chosen. `poses`
 * [count] is in the order of the scene; count 0, the initial state, leaves the bodies out. Errors:
 * ARGUMENT (a count other than the scene's, a pose that is not finite, a rotation that is not a
 * unit quaternion), SCENE and IO (a shape cannot be measured), MEMORY. */
WEIR_API weir_result weir_whitewater_set_body_poses(weir_whitewater *whitewater,
                                                    const weir_body_pose *poses, uint32_t count);

typedef struct weir_whitewater_counts {
    uint32_t spray, foam, bubbles, tracers; /* particles alive */
    /* Particles emitted in the last frame, by cause: */
    uint32_t emitted_by_trapped_air, emitted_by_wave_crests, emitted_by_curl;
} weir_whitewater_counts;
/* Returns the number of whitewater particles; all 0 before the first frame. */
WEIR_API weir_whitewater_counts weir_whitewater_get_counts(const weir_whitewater *whitewater);

/* Emission potentials, in units of the scene's own speed and length; docs/whitewater.md has the
 * formulas. */
typedef enum weir_whitewater_potential {
    WEIR_WHITEWATER_ENERGY,      /* v2 / U2 */
    WEIR_WHITEWATER_TRAPPED_AIR, /* trapped air, where fluid converges or shears */
    WEIR_WHITEWATER_WAVE_CREST,  /* convex surface that moves outwards */
    WEIR_WHITEWATER_CURL,
    WEIR_WHITEWATER_POTENTIAL_COUNT
} weir_whitewater_potential;

typedef struct weir_whitewater_scales {
    float length_m, speed_m_s; /* L and U = sqrt(g L); 0 before the first frame */
    /* Potential at which emission begins, and at which it reaches its maximum: */
    float threshold[WEIR_WHITEWATER_POTENTIAL_COUNT], saturation[WEIR_WHITEWATER_POTENTIAL_COUNT];
} weir_whitewater_scales;
/* Returns the scales of the potentials. */
WEIR_API weir_whitewater_scales weir_whitewater_get_scales(const weir_whitewater *whitewater);

/* Computes the potentials of the particles without emitting or moving whitewater. Fills
 * `potentials`
 * [*count][WEIR_WHITEWATER_POTENTIAL_COUNT], one row per particle in unspecified order; a row is
 * all below 0 where the fluid is too thin to emit. *count: capacity in particles on entry, which
 * must suffice for all points; number of rows on return. Waits. Errors: those of
 * weir_whitewater_step. */
WEIR_API weir_result weir_whitewater_get_potentials(weir_whitewater *whitewater,
                                                    const weir_points *points, float *potentials,
                                                    uint32_t *count);

/* Whitewater in host memory, with y up. */
typedef struct weir_whitewater_particles {
    uint32_t count;
    const float *position; /* [3 * count], m */
    const float *velocity; /* [3 * count], m/s; NULL: at rest */
    const uint32_t *id;    /* [count]; NULL: the index */
    const uint32_t *kind;  /* [count], 0 spray, 1 foam, 2 bubble, 3 tracer */
    const float *radius;   /* [count], m, of the drop or bubble */
    /* [count], s: how old a particle is, and the age at which it disappears. NULL: 0, and the
     * longest lifetime of the scene. Read by weir_sim_create_from alone. */
    const float *age, *lifetime;
    /* [attribute_count]: the values that the fluid had where a particle was born. Read by
     * weir_sim_create_from alone; the scene's initial values where it lacks an attribute. */
    const weir_attribute_values *attributes;
    uint32_t attribute_count;
    void *internal; /* used by Weir; NULL in structs that a program fills in */
} weir_whitewater_particles;

/* Writes the living particles to a file, using `particle_format`, `y_up` and `scale` of `as`. The
 * file appears complete or not at all. Waits. NULL `as` means all defaults. Errors: IO, MEMORY. */
WEIR_API weir_result weir_whitewater_save(weir_whitewater *whitewater, const char *path,
                                          const weir_output_def *as);

/* Reads a file written by weir_whitewater_save or by an output with the axes and scale of `as`; the
 * format is detected from the contents. Free the particles with weir_whitewater_particles_free.
 * NULL `as` means all defaults. `log` may be NULL. Errors: IO (the file is missing, damaged, or
 * contains fluid), MEMORY; `particles` is then empty. */
WEIR_API weir_result weir_whitewater_load(const weir_log *log, const char *path,
                                          const weir_output_def *as,
                                          weir_whitewater_particles *particles);
/* How to read a file of whitewater. */
typedef struct weir_whitewater_load_def {
    const weir_output_def *as;        /* its axes and scale; NULL: the defaults */
    const weir_attribute *attributes; /* [attribute_count]: read also these, if the file has them */
    uint32_t attribute_count;
} weir_whitewater_load_def;
/* The same with attributes. Errors: also ARGUMENT (as weir_particles_load_attributes). */
WEIR_API weir_result weir_whitewater_load_attributes(const weir_log *log, const char *path,
                                                     const weir_whitewater_load_def *def,
                                                     weir_whitewater_particles *particles);
/* Copies the living particles to host memory, in unspecified order; none before the first frame.
 * Free with weir_whitewater_particles_free. Waits. Errors: MEMORY, DEVICE_LOST; `particles` is then
 * empty. */
WEIR_API weir_result weir_whitewater_read(weir_whitewater *whitewater,
                                          weir_whitewater_particles *particles);
/* Copies the whitewater of a simulation after the last finished frame, like weir_whitewater_read;
 * none if the scene has no `whitewater`. Waits. Errors: MEMORY, those of weir_sim_wait. */
WEIR_API weir_result weir_sim_read_whitewater(weir_sim *sim, weir_whitewater_particles *particles);
/* Frees the arrays of whitewater that was loaded or read. */
WEIR_API void weir_whitewater_particles_free(weir_whitewater_particles *particles);

/* Attaches whitewater to the points, replacing any that they have. Renderers then draw it with the
 * points, unless weir_camera.whitewater is false. The particles are copied. Waits. Errors: ARGUMENT
 * (a number that is not finite, a radius that is not above 0 or exceeds 4 spacings, a kind above
 * 2), MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_points_set_whitewater(weir_points *points,
                                                const weir_whitewater_particles *particles);
/* Attaches whitewater to a mesh of the fluid, replacing any that it has; otherwise like
 * weir_points_set_whitewater. A loaded mesh has no spacing, so radii have no upper limit there. */
WEIR_API weir_result weir_mesh_set_whitewater(weir_mesh *mesh,
                                              const weir_whitewater_particles *particles);

#ifdef __cplusplus
}
#endif
#endif
