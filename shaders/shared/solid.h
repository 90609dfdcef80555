/* Solids and sinks: items, their node programs, and poses. */
#ifndef WEIR_SHARED_SOLID_H
#define WEIR_SHARED_SOLID_H

#include "glue.h"

#define SOLID_STACK 8u       /* depth that a node program may need */
#define SOLID_MAX_NODES 256u /* of one item: far under the loop limit of CPU drivers */

/* Id of the specialization constant SOLID_NESTING of all kernels that ask for distances: how deep
 * the node programs of the scene's items nest operators in second operands. A program keeps one
 * distance below the topmost, and one more for each such level: registers that every particle
 * holds. */
#define SOLID_CONSTANT_NESTING 31u
/* Id of SOLID_LACKS, of the same kernels: a bit, 1 << kind, for each kind of node that no program
 * of the scene has. A CPU driver carries out the code of all kinds for every distance, and a GPU
 * holds registers for it. */
#define SOLID_CONSTANT_LACKS 30u

#define SOLID_BOX 0u
#define SOLID_SPHERE 1u
#define SOLID_CAPSULE 2u
#define SOLID_CYLINDER 3u
#define SOLID_CONE 4u
#define SOLID_TORUS 5u
#define SOLID_PLANE 6u
#define SOLID_VOLUME 7u
#define SOLID_UNION 8u /* the operators take the two topmost distances */
#define SOLID_INTERSECTION 9u
#define SOLID_DIFFERENCE 10u
#define SOLID_SMOOTH_UNION 11u
#define SOLID_SHELL 12u /* takes one distance: what is within size.x of its surface */
#define SOLID_KINDS 13u
#define SOLID_OPERATORS 0x1f00u /* the bits of all kinds that are no leaves */

/* shaders/lib/sdf/items.glsl may read each of the next three structs a vector at a time: it relies
 * on the order of their fields. */
#define SOLID_NODE_VECTORS 4u
#define SOLID_ITEM_VECTORS 2u
#define SOLID_POSE_VECTORS 4u

/* One instruction of a postfix program. A leaf maps the item's space into its own by
 * rotate(conjugate(rotation), p - position) / scale, and scales the distance back. */
struct solid_node {
    vec4 position; /* xyz m, w: scale */
    vec4 rotation; /* quaternion xyzw */
    vec4 size;     /* box: half edges; volume: x files per second; other leaves: x radius,
                      y half height, z tube radius; operator: x blend m; shell: half its
                      thickness m */
    uint kind;
    uint volume;       /* SOLID_VOLUME: first word of its header in the volumes buffer */
    uint frame_stride; /* SOLID_VOLUME: words from one file of a sequence to the next */
    uint frame_count;  /* SOLID_VOLUME: 1 unless a sequence */
};
WEIR_SIZE_CHECK(struct solid_node, 64);

#define SOLID_ITEM_FORCE_SHIFT 8u /* above: number of the solid's force gauge, 0 without one */
#define SOLID_ITEM_DEFORMS 1u     /* a mesh sequence is in it: its distance depends on time */
#define SOLID_ITEM_STICKS 2u      /* viscous fluid has its velocity at the surface: no-slip */

/* A solid or a sink: which nodes, and a sphere in item space that holds its surface. */
struct solid_item {
    vec4 bound; /* xyz centre, w radius m, a cell to spare but for balls; w < 0: unbounded */
    uint first_node;
    uint node_count;
    uint flags; /* SOLID_ITEM_ */
    float friction;
};
WEIR_SIZE_CHECK(struct solid_item, 32);

/* Item space to world at the end of one substep and (last) at its start:
 * world = rotate(rotation, p) + position. */
struct solid_pose {
    vec4 position; /* w: time s, for SOLID_ITEM_DEFORMS */
    vec4 rotation;
    vec4 last_position; /* w: time s */
    vec4 last_rotation;
};
WEIR_SIZE_CHECK(struct solid_pose, 64);

/* Header of one volume in the volumes buffer (32-bit words, floats by bits); nx * ny * nz distances
 * (m, mesh space, x fastest) follow at once. Outside the grid, with c its point nearest to p, the
 * distance is sqrt(max(d(c), 0)^2 + |p - c|^2): continuous, never more than the true one, because
 * the surface lies in the grid's box and the angle at c is then at least a right one, and never
 * less than 0.7 of it. */
#define SOLID_VOLUME_HEADER 8u /* words */
struct solid_volume {
    float origin_x, origin_y, origin_z; /* of node 0, m */
    float cell;                         /* m */
    uint nx, ny, nz;
    uint shell; /* 1: distances to the triangles, never below 0 */
};
WEIR_SIZE_CHECK(struct solid_volume, 32);

#endif
