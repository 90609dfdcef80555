/* Cloths, ropes and soft bodies: vertices, their state, the constraints between them, and bindings.
 * Lengths in m, times in s. */
#ifndef WEIR_SHARED_DEFORMABLE_H
#define WEIR_SHARED_DEFORMABLE_H

#include "glue.h"

#ifdef __STDC_VERSION__
/* Binding numbers of deformable_buffers.def; the build generates the same numbers for GLSL. */
enum {
#define BUFFER(name, type, count, contents) DEFORMABLE_BIND_##name,
#define EXTERNAL(name, type, amount, owner) DEFORMABLE_BIND_##name,
#include "deformable_buffers.def"
    DEFORMABLE_BINDINGS
};
#endif

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
