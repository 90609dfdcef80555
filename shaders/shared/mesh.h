/* The mesher: lattice, active blocks, particles in bins, field and surface; bindings.
 *
 * Node (i, j, k) of the lattice is at cell * (i, j, k) + shift in every frame. Blocks have 8^3
 * nodes, super blocks 8^3 blocks; both start at multiples of their size in the world's numbering.
 * Within a frame, positions are in cells from a base node whose coordinates are multiples of 64.
 * The order is always: super block (x fastest), block within it, node within it; so a range of
 * blocks is a range of vertices. The cell of a node extends towards +x, +y, +z, and so do the three
 * edges that the node owns. */
#ifndef WEIR_SHARED_MESH_H
#define WEIR_SHARED_MESH_H

#include "glue.h"

#define MESH_NODES_PER_BLOCK 512u
#define MESH_BLOCKS_PER_SUPER_BLOCK 512u
#define MESH_SUPER_BLOCK_CELLS 64u /* along an axis */
#define MESH_NOT_FOUND 0xffffffffu
#define MESH_BOUNDS_PER_INVOCATION 32u /* particles per invocation of the bounds pass */
#define MESH_WORKGROUP 64u             /* one block of nodes */
/* one block of nodes, where each takes long: on GPUs, and on CPU drivers (WEIR_TEXELS) */
#define MESH_WIDE_WORKGROUP 128u
#define MESH_TEXELS_WORKGROUP 64u
/* maximum number of particles of a bin: CPU drivers abort longer loops */
#define MESH_BIN_MAX 65000u
#define MESH_SEARCH_MAX 32u     /* cells: maximum search radius */
#define MESH_BIN_WINDOW_MAX 9u  /* maximum number of bins along an axis that a block searches */
#define MESH_CASES 256u         /* combinations of inside and outside at a cell's corners */
#define MESH_TABLE_ENTRIES 656u /* cases times the ways to connect their ambiguous faces */
#define MESH_CENTRE_VERTEX 12u  /* number of the vertex inside a cell, after its 12 edges */

/* Kinds of field. */
#define MESH_ZHU_BRIDSON 0u
#define MESH_COLOUR_FIELD 1u
#define MESH_ANISOTROPIC 2u

/* Word of a node of a surface block: entry of the case table, edges with a vertex, and number of
 * the block's vertices before the node. */
#define MESH_WORD_ENTRY 0x3ffu
#define MESH_WORD_MASK_SHIFT 10u
#define MESH_WORD_MASK 0xfu /* bits: edges along x, y, z with a vertex; vertex inside the cell */
#define MESH_WORD_FIRST_SHIFT 14u

/* Word of a line of 8 nodes along x: bits of cells with triangles; bits of nodes with vertices <<
 * 8; number of the block's triangles before the line << 16. Only these nodes have a node word. */
#define MESH_LINES_PER_BLOCK 64u
#define MESH_LINE_NODES_SHIFT 8u
#define MESH_LINE_FIRST_SHIFT 16u

/* Case table: MESH_CASES words, base entry | ambiguous faces << 16; then MESH_TABLE_ENTRIES words,
 * first triangle | count << 16 | has a centre vertex << 24; then a word for each triangle, 4 bits
 * per corner: an edge as numbered by mesh_edge_start, or MESH_CENTRE_VERTEX. */
#define MESH_TABLE_COUNT_SHIFT 16u
#define MESH_TABLE_CENTRE_BIT 24u

/* Attributes that the pack pass reads: bits. */
#define MESH_PACK_VELOCITY 1u
#define MESH_PACK_SCALAR 2u
#define MESH_PACK_INTEGER 4u /* the scalar is an integer, not a float */
/* four components of the particles' attributes: a vector of those that a particle has */
#define MESH_PACK_ATTRIBUTES 8u
#define MESH_PACK_VECTOR_SHIFT 8u   /* which of them */
#define MESH_PACK_VECTORS_SHIFT 16u /* how many a particle has */

/* Signs of the field at a block's nodes: bits. */
#define MESH_HAS_INSIDE 1u
#define MESH_HAS_OUTSIDE 2u

#ifdef __STDC_VERSION__
/* Binding numbers of mesh_buffers.def; the build generates the same numbers for GLSL. */
enum {
#define BUFFER(name, type, count, each, more) MESH_BIND_##name,
#define EXTERNAL(name, type, amount, owner) MESH_BIND_##name,
#include "mesh_buffers.def"
    MESH_BINDINGS
};
#endif

/* Specialization constants: id and name. */
#define MESH_CONSTANTS(FLAG, NUMBER)                                                          \
    NUMBER(1, KIND)            /* kind of field: MESH_ZHU_BRIDSON ... */                      \
    FLAG(2, RESOLVE_AMBIGUOUS) /* resolves ambiguous faces; cells may have a vertex inside */ \
    FLAG(3, NORMALS)           /* computes normals at the vertices */

struct mesh_params {
    vec4 origin;          /* xyz m: base node; w m: cell size */
    vec4 origin_low_bits; /* xyz m: rounding error of the 32-bit origin; w 1/m: 1/cell */
    uint super_blocks_x;
    uint super_blocks_y;
    uint super_blocks_z;
    uint particle_count;
    uint super_block_count; /* this and the next two: counts of the frame, or capacities */
    uint block_count;
    uint slot_count;  /* blocks whose field is stored */
    uint batch_first; /* the blocks batch_first to batch_end - 1 are meshed */
    uint batch_end;
    uint vertices_after;      /* vertices of the later slabs */
    uint single_batch;        /* not 0: the frame is one slab; its indices count from its start */
    uint bin_shift;           /* log2 of the cells along a bin: 2 or 3 */
    uint bin_reach;           /* bins that the search radius spans */
    uint spray_neighbours;    /* particles with fewer neighbours are spray; 0: none is */
    float reach;              /* cells: search radius */
    float radius;             /* cells: particle radius (Zhu-Bridson) */
    float iso;                /* iso-value of the colour field */
    float outside;            /* field where no particle is within reach */
    float damping_max_weight; /* the radius is damped only below this sum of weights */
    float kernel;         /* cells: radius of an isotropic kernel; `reach` is that of the longest */
    uint vertex_capacity; /* vertices and triangles that the buffers have room for */
    uint triangle_capacity;
    uint unused_a;
    uint unused_b;
};
WEIR_SIZE_CHECK(struct mesh_params, 128);

struct mesh_state {
    /* bounds as order-preserving words, inverted; [3]: number of non-finite positions */
    uint low[4];
    uint high[4];             /* [3]: particles of the fullest bin, if there are too many */
    uint surface_dispatch[4]; /* VkDispatchIndirectCommand over the surface blocks */
    uint slot_dispatch[4];    /* VkDispatchIndirectCommand over the slots */
    uint surface_count;
    uint vertex_count; /* of the slab */
    uint triangle_count;
    uint spray_count;
    uint overflow;    /* not 0: the lattice or the table of super blocks is too small */
    uint block_count; /* 0 if the speculated sizes are too small: later passes do nothing */
    uint slot_count;  /* blocks whose field is stored */
    uint unused;
};
WEIR_SIZE_CHECK(struct mesh_state, 96);

#endif
