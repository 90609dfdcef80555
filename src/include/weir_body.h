/* The side door to rigid bodies: where the bodies of a simulation are and how they move. The rules
 * of weir.h hold here too. */
#ifndef WEIR_BODY_DOOR_H
#define WEIR_BODY_DOOR_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body at the end of the last finished frame. */
typedef struct weir_body {
    const char *name; /* of the scene's body; lives as long as the simulation */
    double mass_kg;
    double volume_m3;
    float position[3];         /* m, of its centre of mass */
    float rotation[4];         /* quaternion x y z w, from how it stood at the scene's start */
    float velocity[3];         /* m/s */
    float angular_velocity[3]; /* rad/s */
    float angular_momentum[3]; /* kg m2/s, about its centre of mass */
    double kinetic_energy;     /* J */
    double potential_energy;   /* J, like that of weir_stats */
    bool asleep;               /* it lies still until fluid, a body or a wall moves it */
    bool lost; /* it has left the finite numbers, and stands still since; a warning has said so */
} weir_body;

/* The bodies in the order of the scene. *count: room in `bodies` on entry, bodies that there are on
 * return; bodies NULL asks for the count alone. Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_bodies(weir_sim *sim, weir_body *bodies, uint32_t *count);

/* Puts a body elsewhere, or moves it otherwise, from the next frame on: the one whose name it has
 * gets its position, rotation, velocity and angular_velocity. The other fields do not count, so
 * that what weir_sim_bodies has read is changed and given back. All bodies wake, and a lost one is
 * found again. Saved states hold it. Waits. Errors: ARGUMENT (no such body; numbers that are not
 * finite; more than 10^9 m/s; a place in a solid, in another body or beyond a closed side, as at a
 * scene's start, and by the method pbf in fluid or on vertices of cloths, ropes and soft bodies;
 * flip and apic push fluid out; nothing has changed then), MEMORY, those of weir_sim_wait. */
WEIR_API weir_result weir_body_set(weir_sim *sim, const weir_body *body);

/* A point of a body. */
typedef struct weir_grip {
    const char *name;  /* of the scene's body; NULL: of none */
    float place[3];    /* m, from its centre of mass, in axes that turn with the body */
    float position[3]; /* m, in the world after the last finished frame */
} weir_grip;

/* Finds the point at which a ray meets a body first; fluid and solids do not hide bodies. Where it
 * meets none, that is no error: grip->name is NULL. `direction` may have any length but 0. Waits.
 * Errors: ARGUMENT, those of weir_sim_wait. */
WEIR_API weir_result weir_body_pick(weir_sim *sim, const float origin[3], const float direction[3],
                                    weir_grip *grip);

/* Drags a body: all frames to come pull the grip to `target`, m, until the next call; `grip` NULL
 * lets go, and the body flies on. The grip's position does not count. A damped spring pulls, so
 * that the grip is there within a quarter of a second; no harder than 50 m/s2 times the body's
 * mass, besides its weight, so that what holds the body can hold it back. A body that sleeps wakes.
 * Saved states do not hold it. Errors: ARGUMENT (nothing has changed then). */
WEIR_API weir_result weir_body_drag(weir_sim *sim, const weir_grip *grip, const float target[3]);

/* Bodies of a scene; 0 for a NULL scene. */
WEIR_API uint32_t weir_scene_body_count(const weir_scene *scene);

/* Where a body stands: position and rotation as in weir_body. */
typedef struct weir_body_pose {
    float position[3];
    float rotation[4];
} weir_body_pose;

/* Says where the bodies of the renderer's scene are in pictures of points and meshes that are not a
 * simulation's, which do not know it. `poses` [count] in the order of the scene; count 0: they are
 * not drawn, as before the first call. Errors: ARGUMENT (a number other than the scene's, a pose
 * that is not finite or no rotation), SCENE and IO (a shape that cannot be measured), MEMORY. */
WEIR_API weir_result weir_renderer_place_bodies(weir_renderer *renderer,
                                                const weir_body_pose *poses, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
