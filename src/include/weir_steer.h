/* The side door to steering: what a program moves itself while the simulation runs, solids such as
 * a paddle or a hull, and particles. weir_sim_steer of weir.h has the pointer, the jet and live
 * numbers. The rules of weir.h hold here too. */
#ifndef WEIR_STEER_DOOR_H
#define WEIR_STEER_DOOR_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The solid's shape is turned about the world's origin, then moved, as by keyframes: a shape that
 * the scene has at the origin is placed by the pose alone. */
typedef struct weir_solid_pose {
    float position[3]; /* m */
    float rotation[4]; /* quaternion x y z w, of length 1 */
    bool jump;         /* it is there when the frame begins, and pushes nothing on its way */
} weir_solid_pose;

/* Moves a solid of the scene, by name, whose motion is {"steered": true}: evenly, during the next
 * frame, from where it is to `pose`. It stays there until the next call. In the plane the position
 * along z does not count. Before the first call the solid is where the scene has its shape. Saved
 * states hold where it is, not where it is going. Errors: ARGUMENT (nothing has changed then). */
WEIR_API weir_result weir_solid_set_pose(weir_sim *sim, const char *name,
                                         const weir_solid_pose *pose);

/* Gives all particles other positions, m, or velocities, m/s: `field` is WEIR_FIELD_POSITION or
 * WEIR_FIELD_VELOCITY, `values` [3 * particles] as weir_sim_read has them, `size` their bytes.
 * Velocities replace all motion: APIC forgets its gradients. In the plane what is along z does not
 * count. The statistics follow with the next frame. Waits. Errors: ARGUMENT (another size, a place
 * outside the domain, a number that is not finite; nothing has changed then), MEMORY, those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_write(weir_sim *sim, weir_field field, const float *values,
                                    size_t size);

#ifdef __cplusplus
}
#endif
#endif
