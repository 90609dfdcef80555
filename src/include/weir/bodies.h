/* Rigid bodies: poses, picking, grabbing; and the forces of fluid on bodies and solids.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_BODIES_PUBLIC_H
#define WEIR_BODIES_PUBLIC_H

#include "render.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bodies of a scene; 0 for a NULL scene. */
WEIR_API uint32_t weir_scene_body_count(const weir_scene *scene);

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
    double kinetic_energy_j;   /* J */
    double potential_energy_j; /* J, like that of weir_stats */
    bool asleep;               /* it lies still until fluid, a body or a wall moves it */
    bool non_finite; /* it has left the finite numbers, and stands still since; a warning has said
                        so */
} weir_body;

/* The bodies in the order of the scene. *count: room in `bodies` on entry, bodies that there are on
 * return; bodies NULL asks for the count alone. Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_bodies(weir_sim *sim, weir_body *bodies, uint32_t *count);

/* Puts a body elsewhere, or moves it otherwise, from the next frame on: the one whose name it has
 * gets its position, rotation, velocity and angular_velocity. The other fields do not count, so
 * that what weir_sim_get_bodies has read is changed and given back. All bodies wake, and a lost one
 * is found again. Saved states hold it. Waits. Errors: ARGUMENT (no such body; numbers that are not
 * finite; more than 10^9 m/s; a place in a solid, in another body or beyond a closed side, as at a
 * scene's start, and by the method pbf in fluid or on vertices of cloths, ropes and soft bodies;
 * flip and apic push fluid out; nothing has changed then), MEMORY, those of weir_sim_wait. */
WEIR_API weir_result weir_sim_set_body(weir_sim *sim, const weir_body *body);

/* A point of a body. */
typedef struct weir_body_point {
    const char *name;        /* of the scene's body; NULL: of none */
    float local_position[3]; /* m, from its centre of mass, in axes that turn with the body */
    float position[3];       /* m, in the world after the last finished frame */
} weir_body_point;

/* Finds the point at which a ray meets a body first; fluid and solids do not hide bodies. Where it
 * meets none, that is no error: grip->name is NULL. `direction` may have any length but 0. Waits.
 * Errors: ARGUMENT, those of weir_sim_wait. */
WEIR_API weir_result weir_sim_pick_body(weir_sim *sim, const float origin[3],
                                        const float direction[3], weir_body_point *grip);

/* Drags a body: all frames to come pull the grip to `target`, m, until the next call; `grip` NULL
 * lets go, and the body flies on. The grip's position does not count. A damped spring pulls, so
 * that the grip is there within a quarter of a second; no harder than 50 m/s2 times the body's
 * mass, besides its weight, so that what holds the body can hold it back. A body that sleeps wakes.
 * Saved states do not hold it. Errors: ARGUMENT (nothing has changed then). */
WEIR_API weir_result weir_sim_grab_body(weir_sim *sim, const weir_body_point *grip,
                                        const float target[3]);

/* What fluid does to a body or a solid: the mean over a frame. About another point c the torque is
 * torque + (about - c) x force. */
typedef struct weir_force {
    const char *name;         /* of the scene's body or solid; lives as long as the simulation */
    float force[3];           /* N; in the plane per metre of depth */
    float torque[3];          /* N m, about `reference_point`; likewise */
    float reference_point[3]; /* m: a body's centre of mass; the position of a solid's pose at the
                       frame's end, which is 0 where the scene does not move it */
    uint64_t frame; /* that the mean is over, as in weir_stats; 0: none has finished since the
                       simulation was made or restored, and force and torque are 0 */
} weir_force;

/* The bodies in the order of the scene, in the last frame that is known to have finished. *count:
 * room in `forces` on entry, bodies that there are on return; `forces` NULL asks for the count
 * alone. What walls, other bodies, cloths and the hand do is not in it, nor is weight. Does not
 * wait: after weir_sim_wait the last frame is known, else it may be one of the two before. Errors:
 * those of weir_sim_wait except UNSTABLE. */
WEIR_API weir_result weir_sim_get_body_forces(weir_sim *sim, weir_force *forces, uint32_t *count);

/* Likewise the solids, of a scene whose solver.solid_forces is true: pressure, friction and, but
 * for the methods flip and apic, what a viscous fluid drags them by. Errors: ARGUMENT (the scene
 * does not sum them), those of weir_sim_get_body_forces. */
WEIR_API weir_result weir_sim_get_solid_forces(weir_sim *sim, weir_force *forces, uint32_t *count);

/* Where a body stands: position and rotation as in weir_body. */
typedef struct weir_body_pose {
    float position[3];
    float rotation[4];
} weir_body_pose;

/* Says where the bodies of the renderer's scene are in pictures of points and meshes that are not a
 * simulation's, which do not know it. `poses` [count] in the order of the scene; count 0: they are
 * not drawn, as before the first call. Errors: ARGUMENT (a number other than the scene's, a pose
 * that is not finite or no rotation), SCENE and IO (a shape that cannot be measured), MEMORY. */
WEIR_API weir_result weir_renderer_set_body_poses(weir_renderer *renderer,
                                                  const weir_body_pose *poses, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
