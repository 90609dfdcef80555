/* Rigid bodies: properties, state, contacts and bindings. Lengths in m, times in s. */
#ifndef WEIR_SHARED_BODY_H
#define WEIR_SHARED_BODY_H

#include "glue.h"

#ifdef __STDC_VERSION__
/* Binding numbers of body_buffers.def; the build generates the same numbers for GLSL. */
enum {
#define BUFFER(name, type, count, contents) BODY_BIND_##name,
#define EXTERNAL(name, type, amount, owner) BODY_BIND_##name,
#include "body_buffers.def"
    BODY_BINDINGS
};
#endif

/* Layout of body_impulse_sums per body: the impulses since the body last moved, times the substep:
 * x y z in kg m, then x y z of the angular impulse in kg m2 over the spacing. Each takes two words,
 * low and high, in units of BODY_IMPULSE_UNIT; integer sums do not depend on the order. Then the
 * number of the body's contacts, and flags for what touched the body in the substep. */
#define BODY_IMPULSE_WORDS 16u
#define BODY_IMPULSE_CONTACTS 12u
#define BODY_IMPULSE_FLAGS 13u
/* two words, kg s: mean diagonal of the body's viscous drag in the matrix */
#define BODY_IMPULSE_VISCOUS_DIAGONAL 14u
#define BODY_WOKEN 1u     /* flag: touched by fluid, or by something that moves */
#define BODY_SUPPORTED 2u /* flag: touched by a boundary or a body */
/* 2^-34, times the first fluid's particle mass times the spacing */
#define BODY_IMPULSE_UNIT 5.8207661e-11f

/* Items that a body may touch in the substep: their number, then at most BODY_MAX_CANDIDATES. */
#define BODY_MAX_CANDIDATES 31u
#define BODY_CANDIDATE_WORDS 32u

/* Items of a selected sample: BODY_NONE where there are fewer than BODY_MAX_SAMPLE_ITEMS. If there
 * are more, y is BODY_OVERFLOW and the narrow phase tests all candidates of the body. */
#define BODY_MAX_SAMPLE_ITEMS 3u
/* in spacings: items farther away at a substep's start touch in the next substep at the earliest */
#define BODY_CONTACT_MARGIN 0.5f

/* Broad phase: the domain is divided into cells, sim_params.body_counts, that list nearby bodies. A
 * cell has a bit for each body, BODY_BITS_PER_WORD of them in a word. The first word of a cell,
 * before these, has a bit for each word that is not 0. */
#define BODY_BITS_PER_WORD 32u
#define BODY_MAX_BIT_WORDS 32u         /* maximum, because one word flags those that are not 0 */
#define BODY_BROAD_PHASE_MIN_EDGE 3.0f /* in spacings: minimum edge of a cell */
/* maximum number of words of all cells; larger domains get larger cells */
#define BODY_BROAD_PHASE_MAX_WORDS 0x100000u
#define BODY_BROAD_PHASE_SLACK 0.01f /* in spacings: more than the rounding of positions */
#define BODY_INSERT_INVOCATIONS 32u  /* invocations that share the cells of a body */
#define BODY_CFL 1.0f /* spacings that its fastest point may move in an adaptive substep */
/* a body that overlaps more cells than this is tested against all bodies */
#define BODY_MAX_QUERY_CELLS 64u
/* in MAC cells: a body that cuts a cell is nearer to its centre than this */
#define BODY_COUPLING_DISTANCE 1.25f

#define BODY_CONTACT_ITERATIONS 4u /* contact sweeps per iteration */
/* Fraction of the last substep's contact forces from which a substep starts, and fraction of a
 * penetration depth that contacts remove per substep. Larger values make towers of boxes shake
 * until they fall. */
#define BODY_WARM_START_FACTOR 0.9f
#define BODY_POSITION_RELAXATION 0.1f
/* A body that only boundaries and bodies touch falls asleep after this time below this speed. The
 * speed is that of its centre and of its rotation at its reach, in sqrt(spacing gravity). */
#define BODY_SLEEP_S 0.5f
#define BODY_SLEEP_SPEED 0.05f
/* in spacings: a boundary that moves farther than this in a substep wakes the bodies it touches */
#define BODY_WAKE_DISTANCE 1e-3f
/* in spacings: a contact with an impulse is kept up to this gap within a substep */
#define BODY_CONTACT_SLOP 0.25f
#define BODY_MAX_ROTATION 1.0f /* rad: maximum rotation of a body in a substep */
/* If the finite step raises the energy of free rotation by more than this fraction, the energy is
 * reset to its former value. */
#define BODY_MAX_SPIN_ENERGY_GAIN 0.01f

/* The mouse joint pulls by a critically damped spring of this frequency, or of a higher one at
 * which a body that hangs from it sinks by one spacing. In addition to gravity, it accelerates the
 * body by at most this much, and damps the body's rotation at this rate. */
#define BODY_JOINT_FREQUENCY 30.0f        /* rad/s */
#define BODY_JOINT_MAX_ACCELERATION 50.0f /* m/s2 */
#define BODY_JOINT_SPIN_DAMPING 1.0f      /* 1/s */

/* A queue that one pass fills for another: dispatch size and number of entries. */
struct body_queue {
    uint groups_x, groups_y, groups_z;
    uint count;
};
WEIR_SIZE_CHECK(struct body_queue, 16);
#ifdef __STDC_VERSION__
typedef struct body_queue body_queue; /* GLSL names a struct without the keyword */
#endif
#define BODY_QUEUE_SAMPLES 0u   /* `selected_samples` */
#define BODY_QUEUE_PARTICLES 1u /* particles near bodies */
/* particles near more bodies than near_bodies lists for a particle */
#define BODY_QUEUE_OVERFLOW 2u
#define BODY_QUEUE_COUNT 3u

/* Constant properties of a body. */
struct body_properties {
    vec4 centre; /* xyz m: centre of mass in item space; w 1/kg: inverse mass */
    /* xyz 1/(kg m2): xx yy zz of the inverse inertia about the centre of mass, in item space; w m:
     * reach of the body from there */
    vec4 inertia;
    vec4 products; /* xyz 1/(kg m2): xy xz yz of the inverse inertia; w friction */
    uint first_sample, sample_count;
    uint group; /* bodies of the same group do not collide; 0: no group */
    uint pad0;
};
WEIR_SIZE_CHECK(struct body_properties, 64);

/* A point of a body's surface that is tested for contacts. The contact normal is taken from the
 * other item's distance field at `inner_offset`: at the surface itself, next to an edge of the
 * other item, it might be the normal of the wrong face. */
struct body_sample {
    vec4 offset;       /* xyz m, from the centre of mass, in item space */
    vec4 inner_offset; /* xyz m: the same for the point half a spacing below the surface */
    uint body;
    uint pad0, pad1, pad2;
};
WEIR_SIZE_CHECK(struct body_sample, 48);

struct body_state {
    vec4 position;         /* xyz m: centre of mass; w 1: became non-finite and is frozen */
    vec4 rotation;         /* from item space to the world */
    vec4 velocity;         /* xyz m/s; w s: time for which it has been slow */
    vec4 angular_momentum; /* xyz kg m2/s: about the centre of mass; w 1: asleep */
};
WEIR_SIZE_CHECK(struct body_state, 64);

/* Effect of the fluid on a body, and of the speed cap. */
struct body_fluid_impulse {
    /* xyz kg m: impulse of the running substep, times the substep; w m/s: speed of the body before
     * the cap reduced it; 0: it was not reduced */
    vec4 impulse;
    vec4 angular_impulse; /* xyz kg m2: the same about the centre of mass */
    /* xyz N: mean over the frame's complete substeps; w m/s: maximum of impulse.w in these */
    vec4 force;
    vec4 torque; /* xyz N m: mean torque about the centre of mass */
};
WEIR_SIZE_CHECK(struct body_fluid_impulse, 64);

/* A body in the implicit solve for viscosity (docs/equations.md). Its unknowns are the changes of
 * its velocity, m/s, and of its angular momentum, kg m2/s; each pair below has one member for
 * either. */
struct body_viscous_state {
    vec4 centre; /* xyz m: centre of mass */
    /* xyz m/s: velocity by which it drags, in an iteration the scaled residual; w 1: the solve is
     * not finished */
    vec4 velocity;
    vec4 angular_velocity;           /* xyz rad/s: the same for the rotation */
    vec4 residual, angular_residual; /* w: 1 over the matrix diagonal; 0 for a resting body */
    vec4 product, angular_product;   /* the matrix times the scaled residual */
    vec4 direction, angular_direction;
    vec4 direction_product, angular_direction_product;
    vec4 change, angular_change;
    vec4 start, angular_start; /* xyz m/s, rad/s: initial velocity, and its angular velocity */
};
WEIR_SIZE_CHECK(struct body_viscous_state, 240);

/* pass.constant of apply_impulses.comp: contact impulses move a body by a limited distance; the
 * impulse of the MAC grid's pressure is applied in full. */
#define BODY_APPLY_CAPPED 0u
#define BODY_APPLY_FULL 1u

#define BODY_NONE 0xffffffffu     /* body_contact.other: no contact */
#define BODY_BOUNDARY 0xfffffffeu /* a solid or a side of the domain */
#define BODY_OVERFLOW 0xfffffffdu /* in place of an item */

struct body_contact {
    vec4 normal; /* xyz unit, out of the other item; w m: depth */
    /* xyz m: motion of the contact point in the substep, relative to the other item */
    vec4 slip;
    vec4 impulse; /* xyz kg m: on the sample's body in this substep, times the substep */
    vec4 solved;  /* xyz kg m: result of the last sweep, without Nesterov's acceleration */
    uint other;   /* a body, BODY_BOUNDARY or BODY_NONE */
    uint source;  /* the same for the item that `impulse` comes from */
    float friction;
    uint pad0;
};
WEIR_SIZE_CHECK(struct body_contact, 80);

/* Contact force of a sample in the last substep; warm-starts the next one. */
struct body_cached_force {
    vec4 force; /* xyz N; w: BODY_FORCE_, or 1 + the body that exerts it */
};
WEIR_SIZE_CHECK(struct body_cached_force, 16);
#define BODY_FORCE_NONE 0.0f
#define BODY_FORCE_BOUNDARY -1.0f

/* Soft constraint that drags one body to the viewer's mouse for one frame. */
struct body_mouse_joint {
    vec4 anchor; /* xyz m, from the centre of mass, in item space */
    vec4 target; /* xyz m */
    uint body;
    uint pad0, pad1, pad2;
};
WEIR_SIZE_CHECK(struct body_mouse_joint, 48);

#endif
