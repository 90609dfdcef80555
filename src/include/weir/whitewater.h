/* Whitewater over stored frames of any program: spray, foam and bubbles. A simulation of a scene
 * with `whitewater` makes its own. weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_WHITEWATER_PUBLIC_H
#define WEIR_WHITEWATER_PUBLIC_H

#include "bodies.h"
#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_whitewater weir_whitewater;

/* The scene gives gravity, domain, solids, spacing and `whitewater`, all defaults without that key;
 * its fluids and emitters only say how high the fluid comes. It is kept alive. Errors: ARGUMENT (a
 * scene without gravity, or of two dimensions), MEMORY, IO, SCENE. */
WEIR_API weir_result weir_whitewater_create(weir_device *device, const weir_scene *scene,
                                            weir_whitewater **foam);
WEIR_API void weir_whitewater_destroy(weir_whitewater **foam);

/* Goes on to the next frame, whose time must be above that of the frame before. The first one only
 * says where the fluid begins. `points` of this device have velocities, and ids where particles
 * come, go or change their order; without ids each is named by its index. `number` is the
 * frame's, of which the random numbers depend. Waits. The same frames give the whitewater that
 * their simulation would have made. Errors: ARGUMENT, MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_whitewater_step(weir_whitewater *foam, const weir_points *points,
                                          double time_s, uint64_t number);

/* Says where the scene's bodies are at the ends of the frames from the next one on, which
 * whitewater meets and asks for fill. `poses` [count] in the order of the scene; count 0: they are
 * left out, as before the first call. Errors: ARGUMENT (a number other than the scene's, a pose
 * that is not finite or no rotation), SCENE and IO (a shape that cannot be measured), MEMORY. */
WEIR_API weir_result weir_whitewater_set_body_poses(weir_whitewater *foam,
                                                    const weir_body_pose *poses, uint32_t count);

typedef struct weir_whitewater_counts {
    uint32_t spray, foam, bubbles; /* alive */
    uint32_t emitted_by_trapped_air, emitted_by_wave_crests,
        emitted_by_curl; /* in the last frame */
} weir_whitewater_counts;
/* All 0 before the first frame. */
WEIR_API weir_whitewater_counts weir_whitewater_get_counts(const weir_whitewater *foam);

/* docs/whitewater.md has the formulas. Each is in units of the scene's own speed and length. */
typedef enum weir_whitewater_potential {
    WEIR_WHITEWATER_ENERGY,      /* v2 / U2 */
    WEIR_WHITEWATER_TRAPPED_AIR, /* trapped air, of fluid that comes together or shears */
    WEIR_WHITEWATER_WAVE_CREST,  /* convex surface that moves outwards */
    WEIR_WHITEWATER_CURL,
    WEIR_WHITEWATER_POTENTIAL_COUNT
} weir_whitewater_potential;

typedef struct weir_whitewater_scales {
    float length_m, speed_m_s; /* L and U = sqrt(g L); 0 before the first frame */
    float threshold[WEIR_WHITEWATER_POTENTIAL_COUNT],
        saturation[WEIR_WHITEWATER_POTENTIAL_COUNT]; /* births begin; are most */
} weir_whitewater_scales;
WEIR_API weir_whitewater_scales weir_whitewater_get_scales(const weir_whitewater *foam);

/* Fills `potentials` [count][WEIR_WHITEWATER_POTENTIAL_COUNT] for the particles, in any order; all
 * below 0 for fluid too thin to make whitewater. No whitewater is born or moved. *count: room in
 * particles on entry, enough for all points; on return how many were filled in. Waits. Errors: as
 * weir_whitewater_step. */
WEIR_API weir_result weir_whitewater_get_potentials(weir_whitewater *foam,
                                                    const weir_points *points, float *potentials,
                                                    uint32_t *count);

/* Whitewater on the host: in metres, with y up. */
typedef struct weir_whitewater_particles {
    uint32_t count;
    const float *position; /* [3 * count] m */
    const float *velocity; /* [3 * count] m/s; NULL: at rest */
    const uint32_t *id;    /* [count], NULL: their places in the arrays */
    const uint32_t *kind;  /* [count] 0 spray, 1 foam, 2 bubble */
    const float *radius;   /* [count] m, of drop or bubble */
    void *internal;        /* Weir's own; NULL in those that a program fills in */
} weir_whitewater_particles;

/* Writes what is alive as `format`, `y_up` and `scale` of the def say, whole or not at all. Waits.
 * Errors: IO, MEMORY. */
WEIR_API weir_result weir_whitewater_save(weir_whitewater *foam, const char *path,
                                          const weir_output_def *as);

/* Reads a file that weir_whitewater_save or an output has written as `as` says; its format is found
 * in the file. Release with weir_whitewater_particles_free. `log` may be NULL. Errors: IO (no such
 * file, damaged, or of fluid), MEMORY; `particles` is then empty. */
WEIR_API weir_result weir_whitewater_load(const weir_log *log, const char *path,
                                          const weir_output_def *as,
                                          weir_whitewater_particles *particles);
WEIR_API void weir_whitewater_particles_free(weir_whitewater_particles *particles);

/* Renderers draw the whitewater with the points from then on, in place of what they had; a view's
 * `whitewater` leaves it out. The particles are copied. Waits. Errors: ARGUMENT (a number that is
 * not finite, a radius that is not above 0 or is above 4 spacings, a kind above 2), MEMORY,
 * DEVICE_LOST. */
WEIR_API weir_result weir_points_set_whitewater(weir_points *points,
                                                const weir_whitewater_particles *particles);

#ifdef __cplusplus
}
#endif
#endif
