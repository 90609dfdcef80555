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
#define MESH_WORKGROUP 64u             /* one block of nodes; 8 invocations per 4^3 nodes */
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

/* Signs of the field at a block's nodes: bits. */
#define MESH_HAS_INSIDE 1u
#define MESH_HAS_OUTSIDE 2u

/* Bindings of the mesher's shaders. A table whose comment says `scanned` holds, for each element,
 * the number of such things before it. */
#define MESH_BIND_params WEIR_STRUCT(0, mesh_params)
#define MESH_BIND_state WEIR_STRUCT(1, mesh_state)
#define MESH_BIND_positions WEIR_ARRAY(2, vec4)    /* xyz m: the points, or smoothed centres */
#define MESH_BIND_super_blocks WEIR_ARRAY(3, uint) /* active super blocks, scanned */
/* active blocks among the children of active super blocks, scanned */
#define MESH_BIND_children WEIR_ARRAY(4, uint)
#define MESH_BIND_super_block_list WEIR_ARRAY(5, uint) /* the active super blocks */
#define MESH_BIND_blocks WEIR_ARRAY(6, ivec4)          /* the active blocks */
#define MESH_BIND_bins WEIR_ARRAY(7, uint)             /* particles of each bin, scanned */
#define MESH_BIND_keys WEIR_ARRAY(8, uint)             /* per particle: its bin */
/* per particle: its number within the bin, in the order of arrival */
#define MESH_BIND_ranks WEIR_ARRAY(9, uint)
/* particles by bin, not yet ordered within it: index, number within the bin */
#define MESH_BIND_entries WEIR_ARRAY(10, uvec2)
/* per sorted particle: its index among the points */
#define MESH_BIND_sort_sources WEIR_ARRAY(11, uint)
/* xyz cells: particles sorted by bin and index */
#define MESH_BIND_sorted_positions WEIR_ARRAY(12, vec4)
#define MESH_BIND_weighted WEIR_ARRAY(13, vec4)          /* the same; w weight in the field */
#define MESH_BIND_ellipsoid_centres WEIR_ARRAY(14, vec4) /* the same, centres of ellipsoids */
#define MESH_BIND_particles WEIR_ARRAY(15, vec4) /* one of these three, as the field requires */
/* number of neighbours of each particle, in the order of the points */
#define MESH_BIND_neighbours WEIR_ARRAY(16, uint)
/* blocks whose field is stored, scanned: their slots */
#define MESH_BIND_block_slots WEIR_ARRAY(17, uint)
#define MESH_BIND_slot_blocks WEIR_ARRAY(18, uint) /* per slot: its block */
#define MESH_BIND_field WEIR_ARRAY(19, float)      /* field at the nodes of each slot */
#define MESH_BIND_block_signs WEIR_ARRAY(20, uint) /* per slot: MESH_HAS_ */
/* nodes of a slot that damping must examine */
#define MESH_BIND_damped_nodes WEIR_ARRAY(21, uint)
/* per slot: surface blocks, scanned */
#define MESH_BIND_surface_blocks WEIR_ARRAY(22, uint)
#define MESH_BIND_surface_block_list WEIR_ARRAY(23, uint) /* per surface block: its slot */
#define MESH_BIND_node_words WEIR_ARRAY(24, uint) /* per node of a surface block: MESH_WORD_ */
/* MESH_LINES_PER_BLOCK words per surface block: MESH_LINE_ */
#define MESH_BIND_line_words WEIR_ARRAY(25, uint)
/* vertices of each surface block, scanned */
#define MESH_BIND_vertex_counts WEIR_ARRAY(26, uint)
#define MESH_BIND_triangle_counts WEIR_ARRAY(27, uint) /* triangles, scanned */
/* per surface block: index of its first vertex */
#define MESH_BIND_vertex_base WEIR_ARRAY(28, uint)
#define MESH_BIND_case_table WEIR_ARRAY(29, uint)      /* the case table described above */
#define MESH_BIND_vertices WEIR_ARRAY(30, float)       /* xyz m */
#define MESH_BIND_normals WEIR_ARRAY(31, float)        /* xyz */
#define MESH_BIND_indices WEIR_ARRAY(32, uint)         /* three per triangle */
#define MESH_BIND_particle_values WEIR_ARRAY(33, vec4) /* attributes of the particles */
#define MESH_BIND_vertex_values WEIR_ARRAY(34, vec4)   /* attributes of the vertices */
#define MESH_BIND_velocities WEIR_ARRAY(35, vec4)      /* m/s: velocities of the points */
#define MESH_BIND_scalars WEIR_ARRAY(36, uint) /* bits of a scalar attribute of the points */
#define MESH_BIND_shapes WEIR_ARRAY(37, vec4)  /* two per point: src/grid/grid.h */
/* two per sorted particle, G / h: (xx, xy, xz, yy), (yz, zz, weight, 0) */
#define MESH_BIND_sorted_shapes WEIR_ARRAY(38, vec4)
#define MESH_BINDINGS 39u

/* Specialization constants: id and name. */
#define MESH_CONSTANTS(FLAG, NUMBER)                                     \
    NUMBER(1, KIND)            /* kind of field: MESH_ZHU_BRIDSON ... */ \
    FLAG(2, RESOLVE_AMBIGUOUS) /* resolves ambiguous faces; cells may have a vertex inside */

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
