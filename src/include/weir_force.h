/* The side door to forces: what the fluid does to rigid bodies and to solids. The rules of weir.h
 * hold here too. */
#ifndef WEIR_FORCE_DOOR_H
#define WEIR_FORCE_DOOR_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What fluid does to a body or a solid: the mean over a frame. About another point c the torque is
 * torque + (about - c) x force. */
typedef struct weir_force {
    const char *name; /* of the scene's body or solid; lives as long as the simulation */
    float force[3];   /* N; in the plane per metre of depth */
    float torque[3];  /* N m, about `about`; likewise */
    float about[3];   /* m: a body's centre of mass; the position of a solid's pose at the frame's
                         end, which is 0 where the scene does not move it */
    uint64_t frame;   /* that the mean is over, as in weir_stats; 0: none has finished since the
                         simulation was made or restored, and force and torque are 0 */
} weir_force;

/* The bodies in the order of the scene, in the last frame that is known to have finished. *count:
 * room in `forces` on entry, bodies that there are on return; `forces` NULL asks for the count
 * alone. What walls, other bodies, cloths and the hand do is not in it, nor is weight. Does not
 * wait: after weir_sim_wait the last frame is known, else it may be one of the two before. Errors:
 * those of weir_sim_wait except UNSTABLE. */
WEIR_API weir_result weir_body_forces(weir_sim *sim, weir_force *forces, uint32_t *count);

/* Likewise the solids, of a scene whose solver.solid_forces is true: pressure, friction and, but
 * for the methods flip and apic, what a viscous fluid drags them by. Errors: ARGUMENT (the scene
 * does not sum them), those of weir_body_forces. */
WEIR_API weir_result weir_solid_forces(weir_sim *sim, weir_force *forces, uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
