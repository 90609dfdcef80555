/* Rigid bodies: poses, picking and dragging; and the forces of fluid on bodies and solids.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_BODIES_PUBLIC_H
#define WEIR_BODIES_PUBLIC_H

#include "render.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of bodies of a scene; 0 for a NULL scene. */
WEIR_API uint32_t weir_scene_body_count(const weir_scene *scene);

/* State of a body at the end of the last finished frame. */
typedef struct weir_body {
    const char *name; /* as in the scene; lives as long as the simulation */
    double mass_kg;
    double volume_m3;
    float position[3];         /* m, of the centre of mass */
    float rotation[4];         /* quaternion x y z w, relative to the body's initial orientation */
    float velocity[3];         /* m/s, of the centre of mass */
    float angular_velocity[3]; /* rad/s */
    float angular_momentum[3]; /* kg m2/s, about the centre of mass */
    double kinetic_energy_j;   /* J */
    double potential_energy_j; /* J, against gravity from the origin, as in weir_stats */
    bool asleep;               /* at rest until fluid, a body or a wall wakes it */
    bool non_finite; /* its state became non-finite; it is frozen, and a warning was logged */
} weir_body;

/* Reads the state of all bodies, in the order of the scene. *count: capacity of `bodies` on entry,
 * number of bodies on return; NULL `bodies` returns only the number. Waits. Errors: those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_get_bodies(weir_sim *sim, weir_body *bodies, uint32_t *count);

/* Sets position, rotation, velocity and angular_velocity of the body with the given name, from the
 * next frame on. Other fields are ignored, so a weir_body from weir_sim_get_bodies can be changed
 * and passed back. Wakes all bodies, and unfreezes a non-finite one. Checkpoints contain the
 * change. Waits. Errors: MEMORY, those of weir_sim_wait, and ARGUMENT, with nothing changed, for
 * - an unknown name, a number that is not finite, or a speed above 1e9 m/s;
 * - a place inside a solid or another body or beyond a closed side, as at the start of a scene;
 * - a place in fluid or on vertices of deformables, with `pbf`; `flip` and `apic` push it out. */
WEIR_API weir_result weir_sim_set_body(weir_sim *sim, const weir_body *body);

/* A point fixed to a body. */
typedef struct weir_body_point {
    const char *name;        /* body of the scene; NULL: no body */
    float local_position[3]; /* m, from the centre of mass, in axes that rotate with the body */
    float position[3];       /* m, in the world after the last finished frame */
} weir_body_point;

/* Finds the first point at which a ray hits a body. Fluid and solids do not block the ray. If it
 * hits no body, the call succeeds and point->name is NULL. `direction` may have any length but 0.
 * Waits. Errors: ARGUMENT, those of weir_sim_wait. */
WEIR_API weir_result weir_sim_pick_body(weir_sim *sim, const float origin[3],
                                        const float direction[3], weir_body_point *point);

/* Drags a body with a mouse joint: in each frame until the next call, a damped spring pulls the
 * point `point` of the body towards `target`, m. NULL `point` releases the body, which keeps its
 * velocity. point->position is ignored. The point arrives within a quarter of a second; besides the
 * body's weight the force is at most 50 m/s2 times its mass, so obstacles can hold the body back.
 * Wakes the body. Checkpoints do not contain the joint. Errors: ARGUMENT, with nothing changed. */
WEIR_API weir_result weir_sim_grab_body(weir_sim *sim, const weir_body_point *point,
                                        const float target[3]);

/* Force of the fluid on a body or a solid, averaged over a frame. The torque about another point c
 * is torque + (reference_point - c) x force. */
typedef struct weir_force {
    const char *name; /* body or solid of the scene; lives as long as the simulation */
    float force[3];   /* N; in two dimensions N per metre of depth */
    float torque[3];  /* N m, about `reference_point`; in two dimensions per metre of depth */
    /* m: a body's centre of mass; the position of a solid's pose at the end of the frame, which is
     * 0 for a solid that the scene does not move. */
    float reference_point[3];
    /* Number of the averaged frame, as in weir_stats. 0: no frame has finished since the simulation
     * was created or restored; force and torque are then 0. */
    uint64_t frame;
} weir_force;

/* Reads the force of the fluid on each body, in the order of the scene, for the last frame known to
 * have finished. Excludes weight and the forces of boundaries, other bodies, deformables and
 * weir_sim_grab_body. *count: capacity of `forces` on entry, number of bodies on return; NULL
 * `forces` returns only the number. Does not wait: after weir_sim_wait the frame is the last one,
 * otherwise it may be one of the two before. Errors: those of weir_sim_wait except UNSTABLE. */
WEIR_API weir_result weir_sim_get_body_forces(weir_sim *sim, weir_force *forces, uint32_t *count);

/* Reads the force of the fluid on each solid of a scene with solver.solid_forces, like
 * weir_sim_get_body_forces: pressure, friction and, except with `flip` and `apic`, viscous drag.
 * Errors: ARGUMENT (solver.solid_forces is not set), those of weir_sim_get_body_forces. */
WEIR_API weir_result weir_sim_get_solid_forces(weir_sim *sim, weir_force *forces, uint32_t *count);

/* Pose of a body: position, m, and rotation as in weir_body. */
typedef struct weir_body_pose {
    float position[3];
    float rotation[4];
} weir_body_pose;

/* Sets the poses of the bodies of the renderer's scene for pictures of points and meshes that do
 * not come from a simulation and so have no poses. `poses` [count] is in the order of the scene;
 * count 0, the initial state, draws no bodies. Errors: ARGUMENT (a count other than the scene's, a
 * pose that is not finite, a rotation that is not a unit quaternion), SCENE and IO (a shape cannot
 * be measured), MEMORY. */
WEIR_API weir_result weir_renderer_set_body_poses(weir_renderer *renderer,
                                                  const weir_body_pose *poses, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
