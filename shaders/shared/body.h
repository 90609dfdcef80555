/* Rigid bodies: what they are, their state, their contacts. */
#ifndef WEIR_SHARED_BODY_H
#define WEIR_SHARED_BODY_H

#include "glue.h"

/* What the kernels of bodies bind; the first seven are the simulation's: shaders/shared/sim.h. */
#define BODY_BIND_params WEIR_STRUCT(0, sim_params)
#define BODY_BIND_state WEIR_STRUCT(1, grid_state)
#define BODY_BIND_status WEIR_STRUCT(2, sim_status)
#define BODY_BIND_items WEIR_ARRAY(3, solid_item)
#define BODY_BIND_solid_nodes WEIR_ARRAY(4, solid_node)
#define BODY_BIND_solid_volumes WEIR_ARRAY(5, uint)
#define BODY_BIND_poses WEIR_ARRAY(6, solid_pose)
#define BODY_BIND_bodies WEIR_ARRAY(7, body_properties)
#define BODY_BIND_body_states WEIR_ARRAY(8, body_state) /* after the last complete substep */
#define BODY_BIND_body_iterated_states WEIR_ARRAY(9, body_state) /* in the running substep */
#define BODY_BIND_body_impulse_sums WEIR_ARRAY(10, uint)         /* BODY_IMPULSE_WORDS per body */
#define BODY_BIND_samples WEIR_ARRAY(11, body_sample)   /* body_properties.first_sample and on */
#define BODY_BIND_contacts WEIR_ARRAY(12, body_contact) /* of each sample */
#define BODY_BIND_cached_forces \
    WEIR_ARRAY(13, body_cached_force)             /* likewise, of the last complete substep */
#define BODY_BIND_candidates WEIR_ARRAY(14, uint) /* BODY_CANDIDATE_WORDS per body */
#define BODY_BIND_broad_phase_cells WEIR_ARRAY(15, uint)
#define BODY_BIND_body_spheres WEIR_ARRAY(16, vec4)      /* xyz m, w m: hold the bodies; per body */
#define BODY_BIND_selected_samples WEIR_ARRAY(17, uvec4) /* per sample: BODY_MAX_SAMPLE_ITEMS */
#define BODY_BIND_queues WEIR_ARRAY(18, body_queue)
#define BODY_BIND_mouse_joint WEIR_STRUCT(19, body_mouse_joint)
#define BODY_BIND_body_fluid_impulses WEIR_ARRAY(20, body_fluid_impulse)
#define BODY_BINDINGS 21u

/* Impulses on a body since it last moved, times the substep: x y z of kg m, then x y z of kg m2
 * over the spacing, each in two words, low and high, of BODY_IMPULSE_UNIT; then the number of its
 * contacts. Whole numbers have the same sum in any order. Last, what touched the body in the
 * substep. */
#define BODY_IMPULSE_WORDS 16u
#define BODY_IMPULSE_CONTACTS 12u
#define BODY_IMPULSE_FLAGS 13u
#define BODY_IMPULSE_VISCOUS_DIAGONAL \
    14u                   /* two words, kg s: the mean diagonal of what viscous fluid drags by */
#define BODY_WOKEN 1u     /* fluid, or something that moves */
#define BODY_SUPPORTED 2u /* a wall or a body */
#define BODY_IMPULSE_UNIT \
    5.8207661e-11f /* 2^-34 of the first fluid's particle mass times the spacing */

/* The items that a body may touch in the substep: how many, then the first BODY_MAX_CANDIDATES of
 * them. */
#define BODY_MAX_CANDIDATES 31u
#define BODY_CANDIDATE_WORDS 32u

/* The samples that contacts are sought at in the substep: x the sample; yzw the items that it may
 * touch, BODY_NONE where there are fewer; y BODY_OVERFLOW where there are more, and all that are
 * near its body count. */
#define BODY_MAX_SAMPLE_ITEMS 3u
#define BODY_CONTACT_MARGIN \
    0.5f /* d: what is farther at the substep's start touches in the next at first */

/* The domain in cells that say which bodies are near: sim_params.body_counts. A cell
 * has a bit for each body, BODY_BITS_PER_WORD of them in a word; in its first word, before these, a
 * bit for each word that is not 0. */
#define BODY_BITS_PER_WORD 32u
#define BODY_MAX_BIT_WORDS 32u               /* at most: one word says which are not 0 */
#define BODY_BROAD_PHASE_MIN_EDGE 3.0f       /* d, at least */
#define BODY_BROAD_PHASE_MAX_WORDS 0x100000u /* of all cells, at most: beyond it their edge grows \
                                              */
#define BODY_BROAD_PHASE_SLACK 0.01f         /* d: more than positions round */
#define BODY_INSERT_INVOCATIONS 32u          /* invocations that share the cells of a body */
#define BODY_CFL 1.0f /* spacings that its fastest point may move in an adaptive substep */
#define BODY_MAX_QUERY_CELLS 64u     /* a body within reach of more cells asks all bodies */
#define BODY_COUPLING_DISTANCE 1.25f /* cells of the MAC grid: bodies that cut one are so near */

#define BODY_CONTACT_ITERATIONS 4u /* contacts are solved so often in each iteration */
/* The next substep begins with this share of the forces of contacts, and contacts take away this
 * share of a depth in a substep. With more of either, towers of boxes shake themselves down. */
#define BODY_WARM_START_FACTOR 0.9f
#define BODY_POSITION_RELAXATION 0.1f
/* A body that only walls and bodies touch falls asleep after this time below this speed, of the
 * centre and of turning at its reach, in sqrt(spacing gravity). */
#define BODY_SLEEP_S 0.5f
#define BODY_SLEEP_SPEED 0.05f
#define BODY_WAKE_DISTANCE 1e-3f /* d: a wall that moves so far in a substep wakes bodies */
#define BODY_CONTACT_SLOP 0.25f  /* d: a contact that pushes may open so far within a substep */
#define BODY_MAX_ROTATION 1.0f   /* rad that a body may turn in a substep */
/* Where a substep raises the energy of free turning by more than this share, for its step is
 * finite, the energy becomes what it was. */
#define BODY_MAX_SPIN_ENERGY_GAIN 0.01f

/* A hand pulls by a critically damped spring of this frequency, or of a higher one at which a body
 * that hangs from it sinks by a spacing; it pulls no more than so much besides gravity, for each kg
 * of the body, and what the body turns by shrinks at the last rate. */
#define BODY_JOINT_FREQUENCY 30.0f        /* rad/s */
#define BODY_JOINT_MAX_ACCELERATION 50.0f /* m/s2 */
#define BODY_JOINT_SPIN_DAMPING 1.0f      /* 1/s */

/* What has lined up for rows: the dispatch, and how many there are. */
struct body_queue {
    uint groups_x, groups_y, groups_z;
    uint count;
};
WEIR_SIZE_CHECK(struct body_queue, 16);
#ifdef __STDC_VERSION__
typedef struct body_queue body_queue; /* GLSL names a struct without the keyword */
#endif
#define BODY_QUEUE_SAMPLES 0u   /* `sifted` */
#define BODY_QUEUE_PARTICLES 1u /* that bodies meet */
#define BODY_QUEUE_OVERFLOW 2u  /* of these, those with more bodies near than they name */
#define BODY_QUEUE_COUNT 3u

/* What of a body never changes. */
struct body_properties {
    vec4 centre;   /* xyz m: centre of mass in item space; w 1/kg: inverse mass */
    vec4 inertia;  /* 1/(kg m2): inverse about the centre, xx yy zz in item space; w m: reach of
                      the body from there */
    vec4 products; /* likewise xy xz yz; w friction */
    uint first_sample, sample_count;
    uint group; /* bodies of the same one do not meet; 0: of none */
    uint pad0;
};
WEIR_SIZE_CHECK(struct body_properties, 64);

/* A point of a body's surface at which contacts are sought. The normal of a contact is read off the
 * other's distance field at `inner`: at the surface, next to an edge of the other, it might be that
 * of the wrong face. */
struct body_sample {
    vec4 offset;       /* xyz m, from the centre of mass, in item space */
    vec4 inner_offset; /* the same of a point half a spacing below the surface */
    uint body;
    uint pad0, pad1, pad2;
};
WEIR_SIZE_CHECK(struct body_sample, 48);

struct body_state {
    vec4 position; /* xyz m, of the centre of mass; w 1: it has left the finite numbers and rests */
    vec4 rotation; /* from item space to the world */
    vec4 velocity; /* xyz m/s; w s: for how long it has been slow */
    vec4 angular_momentum; /* xyz kg m2/s: angular momentum about the centre of mass; w 1: it sleeps
                            */
};
WEIR_SIZE_CHECK(struct body_state, 64);

/* What fluid does to a body, and what the speed cap does. */
struct body_fluid_impulse {
    vec4 impulse; /* xyz kg m: of the running substep, times the substep; w m/s: how fast the body
                     was before the cap cut its speed; 0: it did not */
    vec4 angular_impulse; /* xyz kg m2: likewise, about the centre of mass */
    vec4 force;  /* xyz N: the mean over the frame, as far as its substeps are complete; w m/s: the
                    largest of impulse.w in these */
    vec4 torque; /* xyz N m: likewise, about the centre of mass */
};
WEIR_SIZE_CHECK(struct body_fluid_impulse, 64);

/* A body in the implicit solve for viscosity (docs/equations.md), in which its unknowns are the
 * change of its velocity, m/s, and of its angular momentum, kg m2/s. Each pair: of the velocity, of
 * the turning. */
struct body_viscous_state {
    vec4 centre;   /* xyz m, of mass */
    vec4 velocity; /* xyz m/s by which it drags: in an iteration the scaled residual; w 1: the
                      solve goes on */
    vec4 angular_velocity;           /* xyz rad/s, likewise */
    vec4 residual, angular_residual; /* w: 1 over the matrix's diagonal, 0 for a body that rests */
    vec4 product, angular_product;   /* the matrix times the scaled residual */
    vec4 direction, angular_direction;
    vec4 direction_product, angular_direction_product;
    vec4 change, angular_change;
};
WEIR_SIZE_CHECK(struct body_viscous_state, 208);

/* row.constant of apply_impulses.comp: contacts move a body a little at a time; what the pressure
 * of a MAC grid does to it counts at once. */
#define BODY_APPLY_CAPPED 0u
#define BODY_APPLY_FULL 1u

#define BODY_NONE 0xffffffffu     /* body_contact.other: there is no contact */
#define BODY_BOUNDARY 0xfffffffeu /* a solid or a side of the domain */
#define BODY_OVERFLOW 0xfffffffdu /* in place of an item */

struct body_contact {
    vec4 normal; /* xyz unit, out of the other; w m: depth */
    vec4 slip; /* xyz m: how far the point of contact has moved in the substep, seen from the other
                */
    vec4 impulse; /* xyz on the sample's body in this substep, times the substep, kg m */
    vec4 solved;  /* xyz likewise, as the last sweep solved it, without what speeds sweeps up */
    uint other;   /* a body, BODY_BOUNDARY or BODY_NONE */
    uint source;  /* likewise: what the impulse comes from */
    float friction;
    uint pad0;
};
WEIR_SIZE_CHECK(struct body_contact, 80);

/* With what force a sample's contact acted: the next substep begins with it. */
struct body_cached_force {
    vec4 force; /* xyz N; w: BODY_FORCE_, or 1 + the body that it comes from */
};
WEIR_SIZE_CHECK(struct body_cached_force, 16);
#define BODY_FORCE_NONE 0.0f
#define BODY_FORCE_BOUNDARY -1.0f

/* What drags one body during one frame: the mouse of a viewer. */
struct body_mouse_joint {
    vec4 anchor; /* xyz m, from the centre of mass, in item space */
    vec4 target; /* xyz m */
    uint body;
    uint pad0, pad1, pad2;
};
WEIR_SIZE_CHECK(struct body_mouse_joint, 48);

#endif
