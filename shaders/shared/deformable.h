/* Cloths, ropes and soft bodies: vertices, their state, the constraints between them, and bindings.
 * Lengths in m, times in s. */
#ifndef WEIR_SHARED_DEFORMABLE_H
#define WEIR_SHARED_DEFORMABLE_H

#include "glue.h"

/* Bindings of the shaders for deformables. The first seven are buffers of the simulation:
 * shaders/shared/sim_buffers.def. */
#define DEFORMABLE_BIND_params WEIR_STRUCT(0, sim_params)
#define DEFORMABLE_BIND_state WEIR_STRUCT(1, grid_state)
#define DEFORMABLE_BIND_status WEIR_STRUCT(2, sim_status)
#define DEFORMABLE_BIND_items WEIR_ARRAY(3, solid_item)
#define DEFORMABLE_BIND_solid_nodes WEIR_ARRAY(4, solid_node)
#define DEFORMABLE_BIND_solid_volumes WEIR_ARRAY(5, uint)
#define DEFORMABLE_BIND_poses WEIR_ARRAY(6, solid_pose)
#define DEFORMABLE_BIND_deformables WEIR_ARRAY(7, deformable_properties)
/* Per vertex, after the last complete substep. The vertices are followed by a float for each
 * constraint that can tear, which is 1 once it has torn: DEFORMABLE_FLAGS_PER_STATE per element,
 * `position` first. */
#define DEFORMABLE_BIND_deformable_states WEIR_ARRAY(8, deformable_state)
/* per vertex: displacement in the running substep, xyz m; w 1/kg. Sums of small displacements keep
 * the momentum that sums of positions would lose to rounding. */
#define DEFORMABLE_BIND_deformable_displacements WEIR_ARRAY(9, vec4)
/* per vertex: index of its deformable_properties */
#define DEFORMABLE_BIND_vertex_owners WEIR_ARRAY(10, uint)
#define DEFORMABLE_BIND_deformable_pins WEIR_ARRAY(11, deformable_pin)
#define DEFORMABLE_BIND_constraints WEIR_ARRAY(12, deformable_constraint) /* sorted by colour */
/* per constraint, kg m; of a stretch in x; of a volume kg/m */
#define DEFORMABLE_BIND_constraint_multipliers WEIR_ARRAY(13, vec4)
/* per colour: its first constraint, and their number */
#define DEFORMABLE_BIND_constraint_colours WEIR_ARRAY(14, uvec2)
/* Jacobi. Per constraint: its impulse in a sweep, kg m. Per vertex: index of its first entry, and
 * one index more at the end. Entries: 4 times a constraint, plus the vertex's place in it. */
#define DEFORMABLE_BIND_constraint_impulses WEIR_ARRAY(15, vec4)
#define DEFORMABLE_BIND_constraint_offsets WEIR_ARRAY(16, uint)
#define DEFORMABLE_BIND_constraint_entries WEIR_ARRAY(17, uint)
/* Facets, with which fluid collides: triangles of cloths, and segments of ropes, whose last vertex
 * appears twice. xyz vertices; w float bits of the radius around them, m */
#define DEFORMABLE_BIND_deformable_facets WEIR_ARRAY(18, uvec4)
/* Linked lists of facets. Per bin its first facet, and per facet the next one in its bin;
 * DEFORMABLE_NONE after the last */
#define DEFORMABLE_BIND_facet_bin_heads WEIR_ARRAY(19, uint)
#define DEFORMABLE_BIND_facet_bin_links WEIR_ARRAY(20, uint)
#define DEFORMABLE_BIND_facet_bins WEIR_STRUCT(21, deformable_facet_bins)
/* DEFORMABLE_IMPULSE_WORDS per vertex */
#define DEFORMABLE_BIND_deformable_impulse_sums WEIR_ARRAY(22, uint)
/* Bodies, if the scene has any: shaders/shared/body.h */
#define DEFORMABLE_BIND_bodies WEIR_ARRAY(23, body_properties)
#define DEFORMABLE_BIND_body_iterated_states WEIR_ARRAY(24, body_state)
#define DEFORMABLE_BIND_body_impulse_sums WEIR_ARRAY(25, uint)
#define DEFORMABLE_BIND_attachments WEIR_ARRAY(26, deformable_attachment) /* per vertex */
/* per vertex: the body that it touches or is attached to */
#define DEFORMABLE_BIND_contact_bodies WEIR_ARRAY(27, uint)
/* Tears. Per facet: xyz the tear flags of its edges; of a segment x alone. Per bending constraint:
 * the edges with which it tears. */
#define DEFORMABLE_BIND_facet_tear_flags WEIR_ARRAY(28, uvec4)
#define DEFORMABLE_BIND_bend_tears WEIR_ARRAY(29, deformable_bend_tear)
/* Contacts between vertices. Per bucket of cells: its first vertex. Per vertex: xyz its cell, and w
 * the next vertex in its bucket; DEFORMABLE_NONE after the last */
#define DEFORMABLE_BIND_vertex_hash_heads WEIR_ARRAY(30, uint)
#define DEFORMABLE_BIND_vertex_hash_links WEIR_ARRAY(31, ivec4)
/* per vertex: position at the start of the simulation, xyz m */
#define DEFORMABLE_BIND_rest_positions WEIR_ARRAY(32, vec4)
/* DEFORMABLE_CANDIDATE_WORDS per vertex: number of vertices that may touch it in this iteration,
 * then the lowest indices of these in ascending order */
#define DEFORMABLE_BIND_contact_candidates WEIR_ARRAY(33, uint)
/* per vertex: number of vertices that touch it in this sweep */
#define DEFORMABLE_BIND_vertex_contact_counts WEIR_ARRAY(34, uint)
/* per vertex: impulse of these contacts, kg m */
#define DEFORMABLE_BIND_vertex_contact_impulses WEIR_ARRAY(35, vec4)
#define DEFORMABLE_BIND_vertex_hash WEIR_STRUCT(36, deformable_vertex_hash)
/* Shape matching: clusters of vertices, their members, and their transforms in this sweep. Per
 * membership of a vertex: its mass within the cluster, kg. Per vertex: index of its first
 * membership, and one index more at the end. */
#define DEFORMABLE_BIND_clusters WEIR_ARRAY(37, deformable_cluster)
#define DEFORMABLE_BIND_cluster_members WEIR_ARRAY(38, deformable_member)
#define DEFORMABLE_BIND_cluster_transforms WEIR_ARRAY(39, deformable_transform)
#define DEFORMABLE_BIND_cluster_masses WEIR_ARRAY(40, float)
#define DEFORMABLE_BIND_membership_offsets WEIR_ARRAY(41, uint)
#define DEFORMABLE_BIND_memberships WEIR_ARRAY(42, deformable_membership)
#define DEFORMABLE_BINDINGS 43u

/* Layout of deformable_impulse_sums per vertex: fluid impulse since the vertex last moved, x y z in
 * kg m, in two words each, low and high, in units of BODY_IMPULSE_UNIT (shaders/shared/body.h);
 * then the number of particles in contact with it. */
#define DEFORMABLE_IMPULSE_WORDS 8u
#define DEFORMABLE_IMPULSE_CONTACTS 6u
#define DEFORMABLE_IMPULSE_DRAGS 7u /* number of particles that it drags */

/* Bins of the domain, which list facets by their centres. The edge of a bin is twice the distance
 * at which a facet's centre can matter, so a query visits only the eight bins around a position. */
struct deformable_facet_bins {
    vec4 low;       /* xyz m: lower corner of the bins; w m: edge of a bin */
    uvec4 count;    /* xyz number of bins; w number of facets */
    float reach;    /* m: facets farther from a particle have no effect in an iteration */
    uint has_tears; /* 1: facets can tear; a facet with a torn edge is ignored */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct deformable_facet_bins, 48);
#define DEFORMABLE_MAX_FACET_BINS 0x100000u /* larger domains get larger bins */
#define DEFORMABLE_FACET_REACH 1.5f         /* spacings, in addition to the radius of a facet */
#define DEFORMABLE_FACET_SLACK 1.5f         /* largest size of a facet over its initial size */

/* Hash grid for contacts between vertices: unbounded cells, many of which share a bucket. */
struct deformable_vertex_hash {
    float edge;   /* m: twice the largest thickness */
    uint buckets; /* a power of two */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct deformable_vertex_hash, 16);
#define DEFORMABLE_CANDIDATE_WORDS 32u
#define DEFORMABLE_MAX_CANDIDATES 31u /* maximum number of nearby vertices that are listed */
/* in thicknesses: distance between paths of vertices that may touch in an iteration */
#define DEFORMABLE_CANDIDATE_MARGIN 1.25f
/* in thicknesses: vertices that pass each other nearer than this return to their former sides */
#define DEFORMABLE_CROSSING_TOLERANCE 0.75f

/* Cloths and ropes with which the vertices of a cloth or rope collide: scene_collides_with. */
#define DEFORMABLE_CONTACTS_ALL 0u
#define DEFORMABLE_CONTACTS_OTHERS 1u
#define DEFORMABLE_CONTACTS_NONE 2u

#define DEFORMABLE_DAMP_WORKGROUP 64u
/* fraction of the trace of the inertia, added to each moment */
#define DEFORMABLE_DAMP_REGULARIZATION 1e-7f

/* Constant properties of a cloth, rope or soft body. */
struct deformable_properties {
    uint first_vertex, vertex_count;
    float radius; /* m: distance that its vertices keep from solids */
    float friction;
    float damping;               /* 1/s */
    float tear;                  /* strain at which an edge tears; 0: never */
    uint contact_mode;           /* DEFORMABLE_CONTACTS_ */
    float self_contact_distance; /* m: its own vertices that are initially nearer to each other
                                    than this never collide */
};
WEIR_SIZE_CHECK(struct deformable_properties, 32);

/* m: radius of a permeable facet; so low that no particle ever touches it */
#define DEFORMABLE_PERMEABLE_RADIUS -1e9f
/* spacings: fluid farther from a facet is not dragged; at most DEFORMABLE_FACET_REACH */
#define DEFORMABLE_DRAG_REACH 1.5f

struct deformable_state {
    vec4 position; /* xyz m; w 1/kg: inverse mass, 0 while the vertex is pinned */
    vec4 velocity; /* xyz m/s; w 1: became non-finite and is frozen */
};
WEIR_SIZE_CHECK(struct deformable_state, 32);

/* Attachment of a vertex to a solid. */
struct deformable_pin {
    vec4 position; /* xyz m, in the solid's space */
    uint vertex, item;
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct deformable_pin, 32);

/* Attachment of a vertex to a body: x y z m the point in the body's space; `body` is
 * DEFORMABLE_NONE for a vertex without one. */
struct deformable_attachment {
    float x, y, z;
    uint body;
};
WEIR_SIZE_CHECK(struct deformable_attachment, 16);

#define DEFORMABLE_STRETCH 0u /* |x0 - x1| - rest */
#define DEFORMABLE_BEND 1u    /* per axis: the sum of coefficients times vertices */
/* volume of the tetrahedron of its vertices, minus `rest`; has no coefficients */
#define DEFORMABLE_VOLUME 2u
#define DEFORMABLE_NONE 0xffffffffu
#define DEFORMABLE_MAX_VERTICES 4u /* maximum number of vertices of a constraint */

/* A constraint. Except for volumes, its gradient with respect to a vertex is the vertex's
 * coefficient times a common vector. */
struct deformable_constraint {
    uvec4 vertices;    /* DEFORMABLE_NONE in unused places */
    vec4 coefficients; /* one per vertex; their sum is 0 */
    float rest;        /* rest length of a stretch, m; rest volume, m3 */
    float compliance;  /* m/N; of a volume m3/Pa; < 0: minus the fraction of its value that each
                          sweep removes */
    uint kind;
    uint tear_flag; /* index of its tear flag among those in deformable_states, in floats;
                  DEFORMABLE_NONE: it cannot tear */
};
WEIR_SIZE_CHECK(struct deformable_constraint, 48);

#define DEFORMABLE_MATCH_WORKGROUP 64u
#define DEFORMABLE_ROTATION_STEPS 8 /* maximum Newton steps for the rotation of a cluster */

/* Vertices of a soft body that keep their shape by shape matching. */
struct deformable_cluster {
    uint first, count; /* its members; positions are relative to the first */
    float stiffness;   /* fraction of the deformation that each sweep removes */
    uint pad0;
    /* 1/(kg m2): inverse of the symmetric matrix sum m q q^T over the members' rest positions q: xx
     * yy zz, then yz zx xy */
    vec4 inverse_diagonal, inverse_off_diagonal;
};
WEIR_SIZE_CHECK(struct deformable_cluster, 48);

/* A vertex of a cluster, with its rest position from the cluster's centre of mass, m. */
struct deformable_member {
    float x, y, z;
    uint vertex;
};
WEIR_SIZE_CHECK(struct deformable_member, 16);

/* The member of a cluster that a vertex is. */
struct deformable_membership {
    uint member, cluster;
};
WEIR_SIZE_CHECK(struct deformable_membership, 8);

/* Transform of a cluster: its centre of mass, m, relative to the position of its first member at
 * the substep's start, and the first two columns of its rotation. The three w hold the rounding
 * error of the centre: without it all members drift together. */
struct deformable_transform {
    vec4 centre, axis_x, axis_y;
};
WEIR_SIZE_CHECK(struct deformable_transform, 48);

#define DEFORMABLE_FLAGS_PER_STATE 8u
#define DEFORMABLE_BEND_TEAR_EDGES 5u

/* A bending constraint tears with any edge of its two triangles; that of a rope tears with either
 * of its two edges. */
struct deformable_bend_tear {
    uint tear_flag;                         /* of the bending constraint */
    uint edge0, edge1, edge2, edge3, edge4; /* tear flags of edges, or DEFORMABLE_NONE */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct deformable_bend_tear, 32);

#endif
