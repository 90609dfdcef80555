/* The side door to solids that a program moves while the simulation runs: a paddle, a hand, a hull.
 * The rules of weir.h hold here too. */
#ifndef WEIR_SOLID_DOOR_H
#define WEIR_SOLID_DOOR_H

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

#ifdef __cplusplus
}
#endif
#endif
