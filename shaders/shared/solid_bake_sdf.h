/* A triangle mesh as the bake of distance volumes reads it: a tree in depth-first order with skip
 * links, so that a traversal needs no stack. Lengths are in cells, positions from the grid's node
 * 0. */
#ifndef WEIR_SHARED_SOLID_BAKE_H
#define WEIR_SHARED_SOLID_BAKE_H

#include "glue.h"

#define BAKE_BRICK 4u /* grid nodes along an edge of a brick, the unit of work */
#define BAKE_BRICK_NODES 64u
#define BAKE_LEAF_TRIANGLES 4u

/* What the bake's kernels bind. */
#define BAKE_BIND_block WEIR_STRUCT(0, bake_block)
#define BAKE_BIND_tree_nodes WEIR_ARRAY(1, bake_tree_node)
#define BAKE_BIND_tree_corners WEIR_ARRAY(2, float) /* nine a triangle */
#define BAKE_BIND_seeds WEIR_ARRAY(3, bake_seed)    /* of the bricks */
#define BAKE_BIND_distances WEIR_ARRAY(4, float)    /* of the nodes */
#define BAKE_BIND_windings WEIR_ARRAY(5, float)

/* The first child of an inner node is the next node; `skip` is the first node after the subtree, so
 * a second child is at the first one's skip. `count` is 0 for inner nodes. */
struct bake_tree_node {
    float low_x, low_y, low_z;
    uint skip;
    float high_x, high_y, high_z;
    uint first;                         /* triangle, of a leaf */
    float centre_x, centre_y, centre_z; /* area-weighted mean of the triangles' centroids */
    float radius;                       /* of the triangles' corners about the centre */
    float dipole_x, dipole_y, dipole_z; /* sum of the triangles' area vectors */
    uint count;
};
WEIR_SIZE_CHECK(struct bake_tree_node, 64);

/* What holds at the centre of a brick. */
struct bake_seed {
    float distance; /* cells, unsigned */
    float winding;
    uint triangle; /* the nearest */
    uint pad0;
};
WEIR_SIZE_CHECK(struct bake_seed, 16);

struct bake_block {
    uvec4 nodes;  /* xyz: of the grid */
    uvec4 bricks; /* xyz: of the grid; w: all */
};
WEIR_SIZE_CHECK(struct bake_block, 32);

#endif
