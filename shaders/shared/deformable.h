/* Cloths and ropes: vertices that constraints hold together, their state and their constraints. */
#ifndef WEIR_SHARED_DEFORMABLE_H
#define WEIR_SHARED_DEFORMABLE_H

#include "glue.h"

/* What the kernels of cloths and ropes bind; the first seven are the simulation's:
 * shaders/shared/sim.h. */
#define DEFORMABLE_BIND_params WEIR_STRUCT(0, sim_params)
#define DEFORMABLE_BIND_state WEIR_STRUCT(1, grid_state)
#define DEFORMABLE_BIND_status WEIR_STRUCT(2, sim_status)
#define DEFORMABLE_BIND_items WEIR_ARRAY(3, solid_item)
#define DEFORMABLE_BIND_solid_nodes WEIR_ARRAY(4, solid_node)
#define DEFORMABLE_BIND_solid_volumes WEIR_ARRAY(5, uint)
#define DEFORMABLE_BIND_poses WEIR_ARRAY(6, solid_pose)
#define DEFORMABLE_BIND_deformables WEIR_ARRAY(7, deformable_properties)
/* Of each vertex, after the last complete substep; behind them a float for each bond that can tear,
 * which is 1 once the bond has torn: DEFORMABLE_FLAGS_PER_STATE in an element, position first. */
#define DEFORMABLE_BIND_deformable_states WEIR_ARRAY(8, deformable_state)
/* how far each vertex has moved in the running substep: xyz m, w 1/kg. Sums of small displacements
 * keep the momentum where sums of positions would round it away. */
#define DEFORMABLE_BIND_deformable_displacements WEIR_ARRAY(9, vec4)
#define DEFORMABLE_BIND_vertex_owners \
    WEIR_ARRAY(10, uint) /* per vertex: its deformable_properties */
#define DEFORMABLE_BIND_deformable_pins WEIR_ARRAY(11, deformable_pin)
#define DEFORMABLE_BIND_constraints WEIR_ARRAY(12, deformable_constraint) /* sorted by colour */
#define DEFORMABLE_BIND_constraint_multipliers \
    WEIR_ARRAY(13, vec4) /* per bond, kg m: of a stretch in x; kg/m of a volume */
#define DEFORMABLE_BIND_constraint_colours \
    WEIR_ARRAY(14, uvec2) /* first bond of each colour; their number */
/* Jacobi: what a sweep pushes along each bond, kg m; per vertex the first of its entries, one more
 * at the end; entries: 4 times a bond, more the vertex's place in it */
#define DEFORMABLE_BIND_constraint_impulses WEIR_ARRAY(15, vec4)
#define DEFORMABLE_BIND_constraint_offsets WEIR_ARRAY(16, uint)
#define DEFORMABLE_BIND_constraint_entries WEIR_ARRAY(17, uint)
/* What fluid meets: triangles of cloths, xyz their vertices, and segments of ropes, whose last
 * vertex comes twice; w bits of the radius about them, m */
#define DEFORMABLE_BIND_deformable_facets WEIR_ARRAY(18, uvec4)
/* Per cell the first of its facets, and per facet the next in its cell: DEFORMABLE_NONE behind the
 * last
 */
#define DEFORMABLE_BIND_facet_bin_heads WEIR_ARRAY(19, uint)
#define DEFORMABLE_BIND_facet_bin_links WEIR_ARRAY(20, uint)
#define DEFORMABLE_BIND_facet_bins WEIR_STRUCT(21, deformable_facet_bins)
#define DEFORMABLE_BIND_deformable_impulse_sums \
    WEIR_ARRAY(22, uint) /* DEFORMABLE_IMPULSE_WORDS per vertex */
/* Bodies, where the scene has them: shaders/shared/body.h */
#define DEFORMABLE_BIND_bodies WEIR_ARRAY(23, body_properties)
#define DEFORMABLE_BIND_body_iterated_states WEIR_ARRAY(24, body_state)
#define DEFORMABLE_BIND_body_impulse_sums WEIR_ARRAY(25, uint)
#define DEFORMABLE_BIND_attachments WEIR_ARRAY(26, deformable_attachment) /* per vertex */
#define DEFORMABLE_BIND_contact_bodies \
    WEIR_ARRAY(27, uint) /* per vertex: the body that it meets or hangs on */
/* Tears: per facet, in xyz, the flags of its edges, of a segment in x; of bonds that bend, what
 * they tear with */
#define DEFORMABLE_BIND_facet_tear_flags WEIR_ARRAY(28, uvec4)
#define DEFORMABLE_BIND_bend_tears WEIR_ARRAY(29, deformable_bend_tear)
/* Contacts of vertices with each other. Per bucket of cells the first of its vertices; per vertex
 * its cell in xyz and the next vertex of its bucket in w, DEFORMABLE_NONE behind the last */
#define DEFORMABLE_BIND_vertex_hash_heads WEIR_ARRAY(30, uint)
#define DEFORMABLE_BIND_vertex_hash_links WEIR_ARRAY(31, ivec4)
#define DEFORMABLE_BIND_rest_positions WEIR_ARRAY(32, vec4) /* xyz m: of each vertex at the start \
                                                             */
/* DEFORMABLE_CANDIDATE_WORDS per vertex: how many vertices may meet it in this iteration, then the
 * lowest numbers of these in ascending order */
#define DEFORMABLE_BIND_contact_candidates WEIR_ARRAY(33, uint)
#define DEFORMABLE_BIND_vertex_contact_counts \
    WEIR_ARRAY(34, uint) /* per vertex: those that it meets in this sweep */
#define DEFORMABLE_BIND_vertex_contact_impulses \
    WEIR_ARRAY(35, vec4) /* per vertex, kg m: what these push it */
#define DEFORMABLE_BIND_vertex_hash WEIR_STRUCT(36, deformable_vertex_hash)
/* Shape matching: clusters of vertices, their members, and where they are in this sweep; per vertex
 * what it weighs in each of its clusters, kg, the first of its parts, one more at the end */
#define DEFORMABLE_BIND_clusters WEIR_ARRAY(37, deformable_cluster)
#define DEFORMABLE_BIND_cluster_members WEIR_ARRAY(38, deformable_member)
#define DEFORMABLE_BIND_cluster_transforms WEIR_ARRAY(39, deformable_transform)
#define DEFORMABLE_BIND_cluster_masses WEIR_ARRAY(40, float)
#define DEFORMABLE_BIND_membership_offsets WEIR_ARRAY(41, uint)
#define DEFORMABLE_BIND_memberships WEIR_ARRAY(42, deformable_membership)
#define DEFORMABLE_BINDINGS 43u

/* What fluid has pushed a vertex since it last moved: x y z of kg m in two words each, low and
 * high, of BODY_IMPULSE_UNIT (shaders/shared/body.h); then the number of its contacts. */
#define DEFORMABLE_IMPULSE_WORDS 8u
#define DEFORMABLE_IMPULSE_CONTACTS 6u
#define DEFORMABLE_IMPULSE_DRAGS 7u /* likewise, of particles that it drags */

/* The domain in cells, in which facets are found by their middles. An edge is twice the distance at
 * which a middle can matter, so that a place needs the eight cells about it alone. */
struct deformable_facet_bins {
    vec4 low;       /* xyz m: where they begin; w m: edge */
    uvec4 count;    /* xyz cells; w facets */
    float reach;    /* m: a facet that is farther from a particle does not matter in an iteration */
    uint has_tears; /* 1: facets have seams, and those that have lost an edge are gone */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct deformable_facet_bins, 48);
#define DEFORMABLE_MAX_FACET_BINS 0x100000u /* beyond it their edge grows */
#define DEFORMABLE_FACET_REACH 1.5f         /* spacings, beside the radius of a facet */
#define DEFORMABLE_FACET_SLACK 1.5f         /* of facets over their size at the start */

/* The cells in which vertices find each other: without bounds, many to a bucket. */
struct deformable_vertex_hash {
    float edge;   /* m: twice the largest thickness */
    uint buckets; /* a power of two */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct deformable_vertex_hash, 16);
#define DEFORMABLE_CANDIDATE_WORDS 32u
#define DEFORMABLE_MAX_CANDIDATES 31u /* of the vertices that are near, those that are listed */
#define DEFORMABLE_CANDIDATE_MARGIN \
    1.25f /* thicknesses between paths that may meet in an iteration */
#define DEFORMABLE_CROSSING_TOLERANCE \
    0.75f /* thicknesses: paths that come nearer than that do not pass each other */

/* What a cloth's or a rope's vertices meet of cloths and ropes: scene_collides_with. */
#define DEFORMABLE_CONTACTS_ALL 0u
#define DEFORMABLE_CONTACTS_OTHERS 1u
#define DEFORMABLE_CONTACTS_NONE 2u

#define DEFORMABLE_DAMP_WORKGROUP 64u
#define DEFORMABLE_DAMP_REGULARIZATION 1e-7f /* of the moments' sum, added to each */

/* What of a cloth or a rope never changes. */
struct deformable_properties {
    uint first_vertex, vertex_count;
    float radius; /* m: solids keep this far from its vertices */
    float friction;
    float damping;               /* 1/s */
    float tear;                  /* strain of an edge that tears it; 0: none does */
    uint contact_mode;           /* DEFORMABLE_CONTACTS_ALL and so on */
    float self_contact_distance; /* m: of its own vertices those never meet that are nearer at the
                                    start */
};
WEIR_SIZE_CHECK(struct deformable_properties, 32);

/* m: the radius of a facet that fluid passes, so that no particle is ever in it */
#define DEFORMABLE_PERMEABLE_RADIUS -1e9f
/* spacings: fluid that is farther from a facet is not dragged; at most DEFORMABLE_FACET_REACH */
#define DEFORMABLE_DRAG_REACH 1.5f

struct deformable_state {
    vec4 position; /* xyz m; w 1/kg: inverse mass, 0 while something holds the vertex */
    vec4 velocity; /* xyz m/s; w 1: it has left the finite numbers and rests */
};
WEIR_SIZE_CHECK(struct deformable_state, 32);

/* A vertex that moves with a solid. */
struct deformable_pin {
    vec4 position; /* xyz m, in the solid's space */
    uint vertex, item;
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct deformable_pin, 32);

/* The body that a vertex hangs on, DEFORMABLE_NONE where there is none, and the point of it in the
 * body's space, m. */
struct deformable_attachment {
    float x, y, z;
    uint body;
};
WEIR_SIZE_CHECK(struct deformable_attachment, 16);

#define DEFORMABLE_STRETCH 0u /* |x0 - x1| - rest */
#define DEFORMABLE_BEND 1u    /* each axis of the sum of shares times vertices */
#define DEFORMABLE_VOLUME 2u  /* of the tetrahedron of its vertices, less rest; it has no shares */
#define DEFORMABLE_NONE 0xffffffffu
#define DEFORMABLE_MAX_VERTICES 4u /* vertices of a bond, at most */

/* A constraint. Its gradient with respect to each vertex is the vertex's share of a common one, but
 * for volumes. */
struct deformable_constraint {
    uvec4 vertices;    /* DEFORMABLE_NONE where there are fewer */
    vec4 coefficients; /* their sum is 0 */
    float rest;        /* m, of a stretch; m3, of a volume */
    float compliance;  /* m/N; m3/Pa, of a volume; below 0: minus the share of its value that each
                          sweep takes away */
    uint kind;
    uint tear_flag; /* where in deformable_states it says that the bond has torn, in floats;
                  DEFORMABLE_NONE: it cannot tear */
};
WEIR_SIZE_CHECK(struct deformable_constraint, 48);

#define DEFORMABLE_MATCH_WORKGROUP 64u
#define DEFORMABLE_ROTATION_STEPS 8 /* in which a cluster's rotation is found */

/* Vertices of a soft body that keep their shape together. */
struct deformable_cluster {
    uint first, count; /* its members: places are told from the first */
    float stiffness;   /* of what they are out of shape that each sweep takes away */
    uint pad0;
    /* 1/(kg m2): the inverse of the sum of kg times products of the members' places at the start,
     * which is symmetrical: xx yy zz, then yz zx xy */
    vec4 inverse_diagonal, inverse_off_diagonal;
};
WEIR_SIZE_CHECK(struct deformable_cluster, 48);

/* A vertex in a cluster, and its place at the start from the cluster's centre of mass, m. */
struct deformable_member {
    float x, y, z;
    uint vertex;
};
WEIR_SIZE_CHECK(struct deformable_member, 16);

/* Which member of which cluster a vertex is. */
struct deformable_membership {
    uint member, cluster;
};
WEIR_SIZE_CHECK(struct deformable_membership, 8);

/* Where a cluster is: its centre of mass, m from where its first member was when the substep began,
 * and the first two columns of its rotation. The three w are the rest of the centre, which a float
 * rounds away: without it all members drift together. */
struct deformable_transform {
    vec4 centre, axis_x, axis_y;
};
WEIR_SIZE_CHECK(struct deformable_transform, 48);

#define DEFORMABLE_FLAGS_PER_STATE 8u
#define DEFORMABLE_BEND_TEAR_EDGES 5u

/* A bond that bends tears with any edge of the two triangles that it bends, of a rope with either
 * of two. */
struct deformable_bend_tear {
    uint tear_flag;                         /* its own */
    uint edge0, edge1, edge2, edge3, edge4; /* flags; DEFORMABLE_NONE where there is no edge */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct deformable_bend_tear, 32);

#endif
