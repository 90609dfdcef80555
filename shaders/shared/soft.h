/* Cloths and ropes: vertices that constraints hold together, their state and their constraints. */
#ifndef WEIR_SHARED_SOFT_H
#define WEIR_SHARED_SOFT_H

#include "glue.h"

/* What the kernels of cloths and ropes bind; the first seven are the simulation's:
 * shaders/shared/sim.h. */
#define SOFT_BIND_params WEIR_STRUCT(0, sim_params)
#define SOFT_BIND_state WEIR_STRUCT(1, grid_state)
#define SOFT_BIND_status WEIR_STRUCT(2, sim_status)
#define SOFT_BIND_items WEIR_ARRAY(3, solid_item)
#define SOFT_BIND_solid_nodes WEIR_ARRAY(4, solid_node)
#define SOFT_BIND_solid_volumes WEIR_ARRAY(5, uint)
#define SOFT_BIND_poses WEIR_ARRAY(6, solid_pose)
#define SOFT_BIND_softs WEIR_ARRAY(7, soft_make)
/* Of each vertex, after the last complete substep; behind them a float for each bond that can tear,
 * which is 1 once the bond has torn: SOFT_FLAGS in an element, position first. */
#define SOFT_BIND_soft_states WEIR_ARRAY(8, soft_state)
/* how far each vertex has moved in the running substep: xyz m, w 1/kg. Sums of small displacements
 * keep the momentum where sums of positions would round it away. */
#define SOFT_BIND_soft_moves WEIR_ARRAY(9, vec4)
#define SOFT_BIND_soft_owners WEIR_ARRAY(10, uint) /* per vertex: its soft_make */
#define SOFT_BIND_soft_pins WEIR_ARRAY(11, soft_pin)
#define SOFT_BIND_soft_bonds WEIR_ARRAY(12, soft_bond) /* sorted by colour */
#define SOFT_BIND_soft_lambdas \
    WEIR_ARRAY(13, vec4) /* per bond, kg m: of a stretch in x; kg/m of a volume */
#define SOFT_BIND_soft_colours WEIR_ARRAY(14, uvec2) /* first bond of each colour; their number */
/* Jacobi: what a sweep pushes along each bond, kg m; per vertex the first of its entries, one more
 * at the end; entries: 4 times a bond, more the vertex's place in it */
#define SOFT_BIND_soft_pushes WEIR_ARRAY(15, vec4)
#define SOFT_BIND_soft_firsts WEIR_ARRAY(16, uint)
#define SOFT_BIND_soft_entries WEIR_ARRAY(17, uint)
/* What fluid meets: triangles of cloths, xyz their vertices, and segments of ropes, whose last
 * vertex comes twice; w bits of the radius about them, m */
#define SOFT_BIND_soft_facets WEIR_ARRAY(18, uvec4)
/* Per cell the first of its facets, and per facet the next in its cell: SOFT_NONE behind the last
 */
#define SOFT_BIND_soft_heads WEIR_ARRAY(19, uint)
#define SOFT_BIND_soft_nexts WEIR_ARRAY(20, uint)
#define SOFT_BIND_soft_cells WEIR_STRUCT(21, soft_lattice)
#define SOFT_BIND_soft_sums WEIR_ARRAY(22, uint) /* SOFT_SUM_WORDS per vertex */
/* Bodies, where the scene has them: shaders/shared/body.h */
#define SOFT_BIND_bodies WEIR_ARRAY(23, body_make)
#define SOFT_BIND_body_iterates WEIR_ARRAY(24, body_state)
#define SOFT_BIND_body_sums WEIR_ARRAY(25, uint)
#define SOFT_BIND_soft_ties WEIR_ARRAY(26, soft_tie) /* per vertex */
#define SOFT_BIND_soft_meets \
    WEIR_ARRAY(27, uint) /* per vertex: the body that it meets or hangs on */
/* Tears: per facet, in xyz, the flags of its edges, of a segment in x; of bonds that bend, what
 * they tear with */
#define SOFT_BIND_soft_seams WEIR_ARRAY(28, uvec4)
#define SOFT_BIND_soft_frays WEIR_ARRAY(29, soft_fray)
/* Contacts of vertices with each other. Per bucket of cells the first of its vertices; per vertex
 * its cell in xyz and the next vertex of its bucket in w, SOFT_NONE behind the last */
#define SOFT_BIND_soft_buckets WEIR_ARRAY(30, uint)
#define SOFT_BIND_soft_bins WEIR_ARRAY(31, ivec4)
#define SOFT_BIND_soft_rests WEIR_ARRAY(32, vec4) /* xyz m: of each vertex at the start */
/* SOFT_NEAR_WORDS per vertex: how many vertices may meet it in this iteration, then the lowest
 * numbers of these in ascending order */
#define SOFT_BIND_soft_nears WEIR_ARRAY(33, uint)
#define SOFT_BIND_soft_bears \
    WEIR_ARRAY(34, uint) /* per vertex: those that it meets in this sweep */
#define SOFT_BIND_soft_shoves WEIR_ARRAY(35, vec4) /* per vertex, kg m: what these push it */
#define SOFT_BIND_soft_crowd WEIR_STRUCT(36, soft_hash)
/* Shape matching: clusters of vertices, their members, and where they are in this sweep; per vertex
 * what it weighs in each of its clusters, kg, the first of its parts, one more at the end */
#define SOFT_BIND_soft_clusters WEIR_ARRAY(37, soft_cluster)
#define SOFT_BIND_soft_members WEIR_ARRAY(38, soft_member)
#define SOFT_BIND_soft_fits WEIR_ARRAY(39, soft_fit)
#define SOFT_BIND_soft_weights WEIR_ARRAY(40, float)
#define SOFT_BIND_soft_part_firsts WEIR_ARRAY(41, uint)
#define SOFT_BIND_soft_parts WEIR_ARRAY(42, soft_part)
#define SOFT_BINDINGS 43u

/* What fluid has pushed a vertex since it last moved: x y z of kg m in two words each, low and
 * high, of BODY_UNIT (shaders/shared/body.h); then the number of its contacts. */
#define SOFT_SUM_WORDS 8u
#define SOFT_SUM_CONTACTS 6u
#define SOFT_SUM_DRAGS 7u /* likewise, of particles that it drags */

/* The domain in cells, in which facets are found by their middles. An edge is twice the distance at
 * which a middle can matter, so that a place needs the eight cells about it alone. */
struct soft_lattice {
    vec4 low;    /* xyz m: where they begin; w m: edge */
    uvec4 count; /* xyz cells; w facets */
    float reach; /* m: a facet that is farther from a particle does not matter in an iteration */
    uint tears;  /* 1: facets have seams, and those that have lost an edge are gone */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct soft_lattice, 48);
#define SOFT_CELLS_MOST 0x100000u /* beyond it their edge grows */
#define SOFT_REACH 1.5f           /* spacings, beside the radius of a facet */
#define SOFT_SLACK 1.5f           /* of facets over their size at the start */

/* The cells in which vertices find each other: without bounds, many to a bucket. */
struct soft_hash {
    float edge;   /* m: twice the largest thickness */
    uint buckets; /* a power of two */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct soft_hash, 16);
#define SOFT_NEAR_WORDS 32u
#define SOFT_NEAR_MOST 31u    /* of the vertices that are near, those that are listed */
#define SOFT_NEAR_SLACK 1.25f /* thicknesses between paths that may meet in an iteration */
#define SOFT_CROSSING \
    0.75f /* thicknesses: paths that come nearer than that do not pass each other */

/* What a cloth's or a rope's vertices meet of cloths and ropes: scene_contacts. */
#define SOFT_MEETS_ALL 0u
#define SOFT_MEETS_OTHERS 1u
#define SOFT_MEETS_NONE 2u

#define SOFT_DAMP_WORKGROUP 64u
#define SOFT_DAMP_LEAST 1e-7f /* of the moments' sum, added to each */

/* What of a cloth or a rope never changes. */
struct soft_make {
    uint first_vertex, vertex_count;
    float radius; /* m: solids keep this far from its vertices */
    float friction;
    float damping; /* 1/s */
    float tear;    /* strain of an edge that tears it; 0: none does */
    uint meets;    /* SOFT_MEETS_ALL and so on */
    float apart;   /* m: of its own vertices those never meet that are nearer at the start */
};
WEIR_SIZE_CHECK(struct soft_make, 32);

/* m: the radius of a facet that fluid passes, so that no particle is ever in it */
#define SOFT_OPEN -1e9f
/* spacings: fluid that is farther from a facet is not dragged; at most SOFT_REACH */
#define SOFT_DRAGGED 1.5f

struct soft_state {
    vec4 position; /* xyz m; w 1/kg: inverse mass, 0 while something holds the vertex */
    vec4 velocity; /* xyz m/s; w 1: it has left the finite numbers and rests */
};
WEIR_SIZE_CHECK(struct soft_state, 32);

/* A vertex that moves with a solid. */
struct soft_pin {
    vec4 place; /* xyz m, in the solid's space */
    uint vertex, item;
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct soft_pin, 32);

/* The body that a vertex hangs on, SOFT_NONE where there is none, and the point of it in the body's
 * space, m. */
struct soft_tie {
    float x, y, z;
    uint body;
};
WEIR_SIZE_CHECK(struct soft_tie, 16);

#define SOFT_STRETCH 0u /* |x0 - x1| - rest */
#define SOFT_BEND 1u    /* each axis of the sum of shares times vertices */
#define SOFT_VOLUME 2u  /* of the tetrahedron of its vertices, less rest; it has no shares */
#define SOFT_NONE 0xffffffffu
#define SOFT_CORNERS 4u /* vertices of a bond, at most */

/* A constraint. Its gradient with respect to each vertex is the vertex's share of a common one, but
 * for volumes. */
struct soft_bond {
    uvec4 vertices;   /* SOFT_NONE where there are fewer */
    vec4 shares;      /* their sum is 0 */
    float rest;       /* m, of a stretch; m3, of a volume */
    float compliance; /* m/N; m3/Pa, of a volume; below 0: minus the share of its value that each
                         sweep takes away */
    uint kind;
    uint flag; /* where in soft_states it says that the bond has torn, in floats; SOFT_NONE: it
                  cannot tear */
};
WEIR_SIZE_CHECK(struct soft_bond, 48);

#define SOFT_MATCH_WORKGROUP 64u
#define SOFT_TURNS 8 /* in which a cluster's rotation is found */

/* Vertices of a soft body that keep their shape together. */
struct soft_cluster {
    uint first, count; /* its members: places are told from the first */
    float share;       /* of what they are out of shape that each sweep takes away */
    uint pad0;
    /* 1/(kg m2): the inverse of the sum of kg times products of the members' places at the start,
     * which is symmetrical: xx yy zz, then yz zx xy */
    vec4 straight, across;
};
WEIR_SIZE_CHECK(struct soft_cluster, 48);

/* A vertex in a cluster, and its place at the start from the cluster's centre of mass, m. */
struct soft_member {
    float x, y, z;
    uint vertex;
};
WEIR_SIZE_CHECK(struct soft_member, 16);

/* Which member of which cluster a vertex is. */
struct soft_part {
    uint member, cluster;
};
WEIR_SIZE_CHECK(struct soft_part, 8);

/* Where a cluster is: its centre of mass, m from where its first member was when the substep began,
 * and the first two columns of its rotation. The three w are the rest of the centre, which a float
 * rounds away: without it all members drift together. */
struct soft_fit {
    vec4 centre, one, two;
};
WEIR_SIZE_CHECK(struct soft_fit, 48);

#define SOFT_FLAGS 8u
#define SOFT_FRAY_EDGES 5u

/* A bond that bends tears with any edge of the two triangles that it bends, of a rope with either
 * of two. */
struct soft_fray {
    uint flag;                              /* its own */
    uint edge0, edge1, edge2, edge3, edge4; /* flags; SOFT_NONE where there is no edge */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct soft_fray, 32);

#endif
