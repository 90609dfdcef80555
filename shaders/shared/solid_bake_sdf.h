/* The bake of distance volumes: bindings, and the triangle mesh as a tree in depth-first order with
 * skip links, so that a traversal needs no stack. Lengths are in cells; positions are relative to
 * node 0 of the grid. */
#ifndef WEIR_SHARED_SOLID_BAKE_H
#define WEIR_SHARED_SOLID_BAKE_H

#include "glue.h"

#define BAKE_BRICK 4u /* grid nodes along an edge of a brick, the unit of work */
#define BAKE_BRICK_NODES 64u
#define BAKE_LEAF_TRIANGLES 4u

/* Bindings of the bake's shaders. */
#define BAKE_BIND_block WEIR_STRUCT(0, bake_block)
#define BAKE_BIND_tree_nodes WEIR_ARRAY(1, bake_tree_node)
#define BAKE_BIND_tree_corners WEIR_ARRAY(2, float) /* nine per triangle */
#define BAKE_BIND_seeds WEIR_ARRAY(3, bake_seed)    /* per brick */
#define BAKE_BIND_distances WEIR_ARRAY(4, float)    /* per node of the grid */
#define BAKE_BIND_windings WEIR_ARRAY(5, float)

/* The first child of an inner node is the next node. `skip` is the first node after the subtree, so
 * the second child is at the first child's `skip`. `count` is 0 for inner nodes. */
struct bake_tree_node {
    float low_x, low_y, low_z;
    uint skip;
    float high_x, high_y, high_z;
    uint first;                         /* of a leaf: first triangle */
    float centre_x, centre_y, centre_z; /* area-weighted mean of the triangles' centroids */
    float radius;                       /* distance of the farthest corner from the centre */
    float dipole_x, dipole_y, dipole_z; /* sum of the triangles' area vectors */
    uint count;
};
WEIR_SIZE_CHECK(struct bake_tree_node, 64);

/* Values at the centre of a brick. */
struct bake_seed {
    float distance; /* cells, unsigned */
    float winding;
    uint triangle; /* nearest triangle */
    uint pad0;
};
WEIR_SIZE_CHECK(struct bake_seed, 16);

struct bake_block {
    uvec4 nodes;  /* xyz: nodes of the grid along the axes */
    uvec4 bricks; /* xyz: bricks along the axes; w: total */
};
WEIR_SIZE_CHECK(struct bake_block, 32);

#endif
