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
#define BODY_BIND_bodies WEIR_ARRAY(7, body_make)
#define BODY_BIND_body_states WEIR_ARRAY(8, body_state)   /* after the last complete substep */
#define BODY_BIND_body_iterates WEIR_ARRAY(9, body_state) /* in the running substep */
#define BODY_BIND_body_sums WEIR_ARRAY(10, uint)          /* BODY_SUM_WORDS per body */
#define BODY_BIND_samples WEIR_ARRAY(11, vec4)            /* body_make.first_sample and on */
#define BODY_BIND_contacts WEIR_ARRAY(12, body_contact)   /* of each sample */
#define BODY_BINDINGS 13u

/* Impulses on a body since it last moved, times the substep: x y z of kg m, then x y z of kg m2
 * over the spacing, each in two words, low and high, of BODY_UNIT; then the number of its contacts.
 * Whole numbers have the same sum in any order. */
#define BODY_SUM_WORDS 13u
#define BODY_SUM_CONTACTS 12u
#define BODY_UNIT 5.8207661e-11f /* 2^-34 of the first fluid's particle mass times the spacing */

#define BODY_SWEEPS 4u      /* contacts are solved so often in each iteration */
#define BODY_TURN_MOST 1.0f /* rad that a body may turn in a substep */

/* What of a body never changes. Its samples are points of its surface. */
struct body_make {
    vec4 centre;   /* xyz m: centre of mass in item space; w 1/kg: inverse mass */
    vec4 inertia;  /* 1/(kg m2): inverse about the centre, xx yy zz in item space; w m: reach of
                      the body from there */
    vec4 products; /* likewise xy xz yz; w friction */
    uint first_sample, sample_count;
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct body_make, 64);

struct body_state {
    vec4 position; /* xyz m, of the centre of mass; w 1: it has left the finite numbers and rests */
    vec4 rotation; /* from item space to the world */
    vec4 velocity; /* xyz m/s */
    vec4 spin;     /* xyz kg m2/s: angular momentum about the centre of mass */
};
WEIR_SIZE_CHECK(struct body_state, 64);

#define BODY_NONE 0xffffffffu /* body_contact.other: there is no contact */
#define BODY_WALL 0xfffffffeu /* a solid or a side of the domain */

struct body_contact {
    vec4 normal; /* xyz unit, out of the other; w m: depth */
    vec4 slip;   /* xyz m: how far the sample has moved in the substep, relative to the other */
    uint other;  /* a body, BODY_WALL or BODY_NONE */
    float friction;
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct body_contact, 48);

#endif
