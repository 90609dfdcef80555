/* Solids and sinks: items, their node programs, poses and distance volumes. */
#ifndef WEIR_SHARED_SOLID_H
#define WEIR_SHARED_SOLID_H

#include "glue.h"

#define SOLID_STACK 8u       /* maximum stack depth of a node program */
#define SOLID_MAX_NODES 256u /* per item: far below the loop limit of CPU drivers */

/* Id of the specialization constant SOLID_NESTING of all shaders that evaluate distances: how deep
 * the node programs of the scene's items nest operators in second operands. A program keeps one
 * distance below the topmost, and one more for each such level; every invocation holds them in
 * registers. */
#define SOLID_CONSTANT_NESTING 33u
/* Id of SOLID_MISSING_KINDS of the same shaders: bit 1 << kind for each kind of node that no
 * program of the scene contains. A CPU driver executes the code of all kinds for every distance,
 * and a GPU reserves registers for it. */
#define SOLID_CONSTANT_MISSING_KINDS 32u

/* Kinds of node. */
#define SOLID_BOX 0u
#define SOLID_SPHERE 1u
#define SOLID_CAPSULE 2u
#define SOLID_CYLINDER 3u
#define SOLID_CONE 4u
#define SOLID_TORUS 5u
#define SOLID_PLANE 6u
#define SOLID_VOLUME 7u
#define SOLID_UNION 8u /* the operators combine the two topmost distances */
#define SOLID_INTERSECTION 9u
#define SOLID_DIFFERENCE 10u
#define SOLID_SMOOTH_UNION 11u
#define SOLID_SHELL 12u /* takes one distance: all within size.x of its surface */
#define SOLID_KINDS 13u
#define SOLID_OPERATORS 0x1f00u /* bits of all kinds that are not leaves */

/* Size of the next three structs in vectors. shaders/lib/sdf/items.glsl may read each of them a
 * vector at a time and relies on the order of their members. */
#define SOLID_NODE_VECTORS 4u
#define SOLID_ITEM_VECTORS 2u
#define SOLID_POSE_VECTORS 4u

/* One instruction of a postfix program. A leaf maps the item's space into its own by
 * rotate(conjugate(rotation), p - position) / scale, and multiplies the distance by scale. */
struct solid_node {
    vec4 position; /* xyz m, w: scale */
    vec4 rotation; /* quaternion xyzw */
    vec4 size;     /* m. Box: half edges; volume: x files per second; other leaves: x radius,
                      y half height, z tube radius; operator: x blend; shell: x half its
                      thickness */
    uint kind;
    uint volume;       /* SOLID_VOLUME: first word of its header in the volumes buffer */
    uint frame_stride; /* SOLID_VOLUME: words between the files of a sequence */
    uint frame_count;  /* SOLID_VOLUME: number of files; 1 unless a sequence */
};
WEIR_SIZE_CHECK(struct solid_node, 64);

/* bits from here on: number of the solid's force gauge, 0 without one */
#define SOLID_ITEM_FORCE_SHIFT 8u
/* the same bits of a sink: number of the body that carries it + 1, 0 without one */
#define SOLID_ITEM_BODY_SHIFT 8u
#define SOLID_ITEM_DEFORMS 1u /* contains a mesh sequence: its distance depends on time */
#define SOLID_ITEM_NO_SLIP 2u /* no-slip: viscous fluid has its velocity at the surface */

/* A solid or a sink: its nodes, and a sphere in item space that encloses its surface. */
struct solid_item {
    /* xyz centre, w radius, m; with a margin of a cell except for balls; w < 0: unbounded */
    vec4 bound;
    uint first_node;
    uint node_count;
    uint flags; /* SOLID_ITEM_ */
    float friction;
};
WEIR_SIZE_CHECK(struct solid_item, 32);

/* Transforms from item space to the world at the end of one substep and (last_) at its start:
 * world = rotate(rotation, p) + position. */
struct solid_pose {
    vec4 position; /* w: time s, for SOLID_ITEM_DEFORMS */
    vec4 rotation;
    vec4 last_position; /* w: time s */
    vec4 last_rotation;
};
WEIR_SIZE_CHECK(struct solid_pose, 64);

/* Header of one volume in the volumes buffer (32-bit words, float bits). Its distances follow: m,
 * mesh space, nx times ny times nz of them, x fastest. Outside the grid, with c its point nearest
 * to p, the distance is sqrt(max(d(c), 0)^2 + |p - c|^2). It is continuous; never more than the
 * true distance, because the surface lies in the grid's box and the angle at c is therefore at
 * least a right one; and never less than 0.7 times the true distance. */
#define SOLID_VOLUME_HEADER 8u /* words */
struct solid_volume {
    float origin_x, origin_y, origin_z; /* of node 0, m */
    float cell;                         /* m */
    uint nx, ny, nz;
    uint shell; /* 1: unsigned distances to the triangles */
};
WEIR_SIZE_CHECK(struct solid_volume, 32);

#endif
