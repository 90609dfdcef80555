/* Simulations that start from given particles and bodies instead of the scene's fills: from arrays,
 * or from a state of an earlier run after the scene has changed. weir/weir.h has the rules that
 * hold for all functions. */
#ifndef WEIR_START_PUBLIC_H
#define WEIR_START_PUBLIC_H

#include "bodies.h"
#include "points.h"
#include "sim.h"
#include "whitewater.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A state from which a simulation starts. The arrays belong to the caller and are only read during
 * weir_sim_create_from. */
typedef struct weir_sim_start {
    uint32_t cookie;
    /* Particles: `position`, and if known `velocity`, `id` (unique), `fluid` and `attributes`;
     * without them at rest, with new ids, of fluid 0, and with the initial values of the scene's
     * attributes. Other attributes are ignored, and so are `spacing_m` and the other members. */
    weir_points_def particles;
    /* Names of the fluids that `particles.fluid` counts; NULL: those of the scene, in its order. */
    const char *const *fluids;
    uint32_t fluid_count;
    /* Bodies by name: position, rotation, velocity and angular_velocity. Bodies of the scene that
     * are not listed start as in the scene. */
    const weir_body *bodies;
    uint32_t body_count;
    /* Whitewater of the state; NULL: none. A scene without whitewater ignores it. */
    const weir_whitewater_particles *whitewater;
    uint64_t frame; /* number of the state's frame; default 0 */
    double time_s;  /* of the state, 0 to 1e9; motions, keyframes and emitters go on from there */
    bool remove_inside; /* removes particles in solids, bodies and walls instead of moving them out
                         */
    const char *name;   /* of the state, for messages; NULL: "the start" */
} weir_sim_start;

/* Returns a def with all defaults. */
WEIR_API weir_sim_start weir_sim_start_default(void);

/* Creates a simulation like weir_sim_create, but with the particles of `start` in place of the
 * scene's fills. Particles in obstacles of the scene are moved out of them, or removed
 * (`remove_inside`); those outside the domain are removed; warnings count both. Emitters have
 * released what they release until `time_s`. Cloths, ropes and soft bodies start as in the scene;
 * `apic` fits the gradients of the velocities to those of neighbours. Waits. Errors: ARGUMENT
 * (a number that is not finite, an unknown fluid or body), and those of weir_sim_create. */
WEIR_API weir_result weir_sim_create_from(weir_device *device, const weir_scene *scene,
                                          const weir_sim_start *start, weir_sim **sim);

#ifdef __cplusplus
}
#endif
#endif
