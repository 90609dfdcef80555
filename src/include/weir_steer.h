/* The side door to steering: what a program moves itself while the simulation runs, solids such as
 * a paddle or a hull, emitters, and particles. weir_sim_steer of weir.h has the pointer, the jet
 * and live numbers. The rules of weir.h hold here too. */
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

/* The opening of an emitter. */
typedef struct weir_emitter {
    float position[3];  /* m, of its centre, in the domain */
    float direction[3]; /* where the fluid goes; any length but 0 */
    float up[3];        /* along the height of a rectangle; what of it is along the direction does
                           not count, and where nothing is left, any will do */
    float speed;        /* m/s, of the fluid as seen from the opening: 0.001 to 1000 */
    bool open;
    bool jump; /* it is there when the frame begins, and its fluid gets nothing of the way */
} weir_emitter;

/* Where an emitter of the scene, by name, is at the end of the last begun frame, and how fast its
 * fluid leaves. `jump` is false. Does not wait. Errors: ARGUMENT. */
WEIR_API weir_result weir_emitter_get(weir_sim *sim, const char *name, weir_emitter *emitter);

/* Opens, closes and moves an emitter of the scene, by name, whose motion is {"steered": true}. It
 * moves evenly, during the next frame, from where it is to where it has to be, and its fluid has
 * the velocity of the opening besides its own; speed and `open` hold from the start of that frame.
 * All stays so until the next call. Before the first call it is as the scene has it; from then on
 * `start` and `end` of the scene do not count, max_particles does. In the plane what is along z
 * does not count. Saved states hold where it is, its speed, and whether it is open, not where it is
 * going. Does not wait. Errors: ARGUMENT (nothing has changed then). */
WEIR_API weir_result weir_emitter_set(weir_sim *sim, const char *name, const weir_emitter *emitter);

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
