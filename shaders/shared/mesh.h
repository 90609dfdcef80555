/* The mesher: a world-anchored lattice, active blocks of it, particles in bins, field, surface.
 *
 * Node (i, j, k) of the lattice stands at cell * (i, j, k) + shift, whatever the frame. Blocks are
 * 8^3 nodes, super blocks 8^3 blocks; both start at multiples of their size, in world numbering.
 * Inside a frame positions are counted in cells from a base node, a multiple of 64. Order
 * everywhere: super block (x fastest), block in it, node in it; so a range of blocks is a range of
 * vertices. The cell of a node lies towards +x, +y, +z, and so do the three edges that it owns. */
#ifndef WEIR_SHARED_MESH_H
#define WEIR_SHARED_MESH_H

#include "glue.h"

#define MESH_NODES 512u      /* of a block */
#define MESH_CHILDREN 512u   /* blocks of a super block */
#define MESH_SUPER_CELLS 64u /* along an axis */
#define MESH_NONE 0xffffffffu
#define MESH_SCAN_EACH 16u /* elements that one invocation of a scan sums */
#define MESH_SCAN_WORKGROUP 256u
#define MESH_SCAN_TILE (MESH_SCAN_EACH * MESH_SCAN_WORKGROUP)
#define MESH_BOUNDS_EACH 32u    /* particles that one invocation looks at */
#define MESH_WORKGROUP 64u      /* one block of nodes; 8 invocations for each of its 4^3 parts */
#define MESH_BIN_MOST 65000u    /* particles of a bin: CPU drivers end longer loops */
#define MESH_REACH_MAX 32u      /* cells: longest search radius */
#define MESH_WINDOW_MAX 9u      /* bins along an axis that a block looks into */
#define MESH_CASES 256u         /* of inside and outside at a cell's corners */
#define MESH_TABLE_ENTRIES 656u /* cases times the ways to join their ambiguous faces */
#define MESH_CENTRE 12u         /* number of the vertex inside a cell, behind its 12 edges */

/* Kinds of field. */
#define MESH_ZHU_BRIDSON 0u
#define MESH_COLOUR 1u
#define MESH_ANISOTROPIC 2u

/* Word of a node of a surface block: entry of the case table, edges with a vertex, and how many
 * vertices of the block come before. */
#define MESH_WORD_ENTRY 0x3ffu
#define MESH_WORD_MASK_SHIFT 10u
#define MESH_WORD_MASK 0xfu /* bits: edges along x, y, z; vertex inside the cell */
#define MESH_WORD_FIRST_SHIFT 14u

/* Word of a row of 8 nodes along x: cells with triangles; nodes with vertices << 8; triangles of
 * the block before the row << 16. Only these nodes have a word. */
#define MESH_ROWS 64u
#define MESH_ROW_NODES_SHIFT 8u
#define MESH_ROW_FIRST_SHIFT 16u

/* Case table: MESH_CASES words, base entry | ambiguous faces << 16; then MESH_TABLE_ENTRIES words,
 * first triangle | count << 16 | has a centre << 24; then a word for each triangle, 4 bits a
 * corner: edges axis * 4 + place, or MESH_CENTRE. */
#define MESH_TABLE_COUNT_SHIFT 16u
#define MESH_TABLE_CENTRE_BIT 24u

/* What a row of pack takes. */
#define MESH_PACK_VELOCITY 1u
#define MESH_PACK_SCALAR 2u
#define MESH_PACK_WHOLE 4u /* the scalar is a whole number, not a float */

/* Signs of a block's nodes. */
#define MESH_HAS_INSIDE 1u
#define MESH_HAS_OUTSIDE 2u

/* Set 0 bindings of the mesher's kernels. */
#define MESH_BIND_PARAMS 0
#define MESH_BIND_STATE 1
#define MESH_BIND_POSITIONS 2
#define MESH_BIND_SUPERS 3
#define MESH_BIND_CHILDREN 4
#define MESH_BIND_SUPER_LIST 5
#define MESH_BIND_BLOCKS 6
#define MESH_BIND_BINS 7
#define MESH_BIND_KEYS 8
#define MESH_BIND_RANKS 9
#define MESH_BIND_SLOTS 10
#define MESH_BIND_SOURCES 11
#define MESH_BIND_SORTED 12
#define MESH_BIND_WEIGHTED 13
#define MESH_BIND_NEIGHBOURS 14
#define MESH_BIND_DATA 15
#define MESH_BIND_SUMS 16
#define MESH_BIND_PLACES 17       /* of each block's field, scanned */
#define MESH_BIND_PLACE_BLOCKS 18 /* the other way round */
#define MESH_BIND_FIELD 19
#define MESH_BIND_SIGNS 20
#define MESH_BIND_NEEDS 21
#define MESH_BIND_SURFACE 22      /* surface blocks before each place, scanned */
#define MESH_BIND_SURFACE_LIST 23 /* their places */
#define MESH_BIND_NODES 24
#define MESH_BIND_VERTEX_COUNTS 25
#define MESH_BIND_TRIANGLE_COUNTS 26
#define MESH_BIND_VERTEX_BASE 27 /* number of each block's first vertex */
#define MESH_BIND_TABLE 28
#define MESH_BIND_VERTICES 29
#define MESH_BIND_NORMALS 30
#define MESH_BIND_INDICES 31
#define MESH_BIND_VALUES 33  /* an attribute of the particles */
#define MESH_BIND_RESULTS 34 /* the same at the vertices */
#define MESH_BIND_VELOCITY 35
#define MESH_BIND_SCALARS 36
#define MESH_BIND_SHAPES 37
#define MESH_BIND_ROWS 39          /* 64 words a surface block */
#define MESH_BIND_SORTED_SHAPES 38 /* G / h: (xx, xy, xz, yy), (yz, zz, weight, 0) */

struct mesh_params {
    vec4 origin;      /* xyz m: the base node; w: cell, m */
    vec4 origin_rest; /* xyz m: what the 32-bit origin lacks; w: 1/cell, 1/m */
    uint supers_x;
    uint supers_y;
    uint supers_z;
    uint particle_count;
    uint super_count;
    uint block_count;
    uint slab_first; /* blocks whose cells are meshed: slab_first to slab_end - 1 */
    uint slab_end;
    uint place_count;      /* blocks whose field is held */
    uint vertices_behind;  /* that later slabs made */
    uint vertex_total;     /* added to every index */
    uint bin_shift;        /* log2 of the cells along a bin: 2 or 3 */
    uint bin_reach;        /* bins that the search radius spans */
    uint spray_neighbours; /* particles with fewer leave the surface; 0: none does */
    float reach;           /* cells: search radius */
    float radius;          /* cells: particle radius (Zhu-Bridson) */
    float iso;             /* of the colour field */
    float outside;         /* field where no particle is in reach */
    float damping_weight;  /* below this sum of weights the radius may be damped */
    float kernel;          /* cells: radius of a round kernel; the reach is that of the longest */
};
WEIR_SIZE_CHECK(struct mesh_params, 112);

struct mesh_state {
    uint
        low[4]; /* bounds as order-preserving words, inverted; [3]: positions that are not finite */
    uint high[4];      /* [3]: particles of the fullest bin, where that is too many */
    uint arguments[4]; /* VkDispatchIndirectCommand over the surface blocks */
    uint surface_count;
    uint vertex_count; /* of the slab */
    uint triangle_count;
    uint spray_count;
};
WEIR_SIZE_CHECK(struct mesh_state, 64);

#endif
