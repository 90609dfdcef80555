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

#define MESH_NODES_PER_BLOCK 512u        /* of a block */
#define MESH_BLOCKS_PER_SUPER_BLOCK 512u /* blocks of a super block */
#define MESH_SUPER_BLOCK_CELLS 64u       /* along an axis */
#define MESH_NOT_FOUND 0xffffffffu
#define MESH_BOUNDS_PER_INVOCATION 32u /* particles that one invocation looks at */
#define MESH_WORKGROUP 64u      /* one block of nodes; 8 invocations for each of its 4^3 parts */
#define MESH_BIN_MAX 65000u     /* particles of a bin: CPU drivers end longer loops */
#define MESH_SEARCH_MAX 32u     /* cells: longest search radius */
#define MESH_BIN_WINDOW_MAX 9u  /* bins along an axis that a block looks into */
#define MESH_CASES 256u         /* of inside and outside at a cell's corners */
#define MESH_TABLE_ENTRIES 656u /* cases times the ways to join their ambiguous faces */
#define MESH_CENTRE_VERTEX 12u  /* number of the vertex inside a cell, behind its 12 edges */

/* Kinds of field. */
#define MESH_ZHU_BRIDSON 0u
#define MESH_COLOUR_FIELD 1u
#define MESH_ANISOTROPIC 2u

/* Word of a node of a surface block: entry of the case table, edges with a vertex, and how many
 * vertices of the block come before. */
#define MESH_WORD_ENTRY 0x3ffu
#define MESH_WORD_MASK_SHIFT 10u
#define MESH_WORD_MASK 0xfu /* bits: edges along x, y, z; vertex inside the cell */
#define MESH_WORD_FIRST_SHIFT 14u

/* Word of a line of 8 nodes along x: cells with triangles; nodes with vertices << 8; triangles of
 * the block before the line << 16. Only these nodes have a word. */
#define MESH_LINES_PER_BLOCK 64u
#define MESH_LINE_NODES_SHIFT 8u
#define MESH_LINE_FIRST_SHIFT 16u

/* Case table: MESH_CASES words, base entry | ambiguous faces << 16; then MESH_TABLE_ENTRIES words,
 * first triangle | count << 16 | has a centre << 24; then a word for each triangle, 4 bits a
 * corner: edges as mesh_edge_start has them, or MESH_CENTRE_VERTEX. */
#define MESH_TABLE_COUNT_SHIFT 16u
#define MESH_TABLE_CENTRE_BIT 24u

/* What pack takes. */
#define MESH_PACK_VELOCITY 1u
#define MESH_PACK_SCALAR 2u
#define MESH_PACK_INTEGER 4u /* the scalar is a whole number, not a float */

/* Signs of a block's nodes. */
#define MESH_HAS_INSIDE 1u
#define MESH_HAS_OUTSIDE 2u

/* What the mesher's kernels bind. */
#define MESH_BIND_params WEIR_STRUCT(0, mesh_params)
#define MESH_BIND_state WEIR_STRUCT(1, mesh_state)
#define MESH_BIND_positions WEIR_ARRAY(2, vec4)    /* xyz m: of the points, or smoothed centres */
#define MESH_BIND_super_blocks WEIR_ARRAY(3, uint) /* active super blocks before each, scanned */
/* active blocks before each child of an active super block, scanned */
#define MESH_BIND_children WEIR_ARRAY(4, uint)
#define MESH_BIND_super_block_list WEIR_ARRAY(5, uint) /* the active super blocks */
#define MESH_BIND_blocks WEIR_ARRAY(6, ivec4)          /* the active blocks */
#define MESH_BIND_bins WEIR_ARRAY(7, uint)             /* particles before each bin, scanned */
#define MESH_BIND_keys WEIR_ARRAY(8, uint)             /* bin of each particle */
#define MESH_BIND_ranks WEIR_ARRAY(9, uint) /* its number in the bin, in the order of arrival */
/* particles by bin, not yet in order: index, number in the bin */
#define MESH_BIND_entries WEIR_ARRAY(10, uvec2)
/* index of each sorted particle among the points */
#define MESH_BIND_sort_sources WEIR_ARRAY(11, uint)
#define MESH_BIND_sorted_positions WEIR_ARRAY(12, vec4)  /* xyz cells: particles by bin and index \
                                                          */
#define MESH_BIND_weighted WEIR_ARRAY(13, vec4)          /* the same, w: weight in the field */
#define MESH_BIND_ellipsoid_centres WEIR_ARRAY(14, vec4) /* the same, of ellipsoids */
#define MESH_BIND_particles WEIR_ARRAY(15, vec4) /* whichever of the three the field takes */
/* of each particle, in the order of the points */
#define MESH_BIND_neighbours WEIR_ARRAY(16, uint)
#define MESH_BIND_block_slots \
    WEIR_ARRAY(17, uint) /* blocks whose field is held before each, scanned */
#define MESH_BIND_slot_blocks WEIR_ARRAY(18, uint) /* these blocks */
#define MESH_BIND_field WEIR_ARRAY(19, float)      /* at the nodes of the held blocks */
#define MESH_BIND_block_signs WEIR_ARRAY(20, uint) /* MESH_HAS_, of each held block */
/* nodes of a held block that damping has to look at */
#define MESH_BIND_damped_nodes WEIR_ARRAY(21, uint)
/* surface blocks before each held block, scanned */
#define MESH_BIND_surface_blocks WEIR_ARRAY(22, uint)
#define MESH_BIND_surface_block_list WEIR_ARRAY(23, uint) /* the surface blocks, as held ones */
#define MESH_BIND_node_words WEIR_ARRAY(24, uint)         /* words of the nodes of surface blocks */
#define MESH_BIND_line_words \
    WEIR_ARRAY(25, uint) /* MESH_LINES_PER_BLOCK words of each surface block */
/* vertices before each surface block, scanned */
#define MESH_BIND_vertex_counts WEIR_ARRAY(26, uint)
#define MESH_BIND_triangle_counts WEIR_ARRAY(27, uint) /* likewise */
#define MESH_BIND_vertex_base WEIR_ARRAY(28, uint)     /* number of each block's first vertex */
#define MESH_BIND_case_table WEIR_ARRAY(29, uint)      /* the case table */
#define MESH_BIND_vertices WEIR_ARRAY(30, float)       /* xyz m */
#define MESH_BIND_normals WEIR_ARRAY(31, float)        /* xyz */
#define MESH_BIND_indices WEIR_ARRAY(32, uint)         /* three a triangle */
#define MESH_BIND_particle_values WEIR_ARRAY(33, vec4) /* an attribute of the particles */
#define MESH_BIND_vertex_values WEIR_ARRAY(34, vec4)   /* the same at the vertices */
#define MESH_BIND_velocities WEIR_ARRAY(35, vec4)      /* m/s, of the points */
#define MESH_BIND_scalars WEIR_ARRAY(36, uint)         /* bits of another attribute of the points */
#define MESH_BIND_shapes WEIR_ARRAY(37, vec4)          /* two a point: src/grid/grid.h */
/* G / h: (xx, xy, xz, yy), (yz, zz, weight, 0) */
#define MESH_BIND_sorted_shapes WEIR_ARRAY(38, vec4)
#define MESH_BINDINGS 39u

/* Specialization constants: id and name. */
#define MESH_CONSTANTS(FLAG, NUMBER)                                \
    NUMBER(1, KIND)  /* of the field: MESH_ZHU_BRIDSON and so on */ \
    FLAG(2, DECIDER) /* ambiguous faces are decided, and cells may have a vertex inside */

struct mesh_params {
    vec4 origin;          /* xyz m: the base node; w: cell, m */
    vec4 origin_low_bits; /* xyz m: what the 32-bit origin lacks; w: 1/cell, 1/m */
    uint super_blocks_x;
    uint super_blocks_y;
    uint super_blocks_z;
    uint particle_count;
    uint super_block_count; /* these three: those of the frame, or how many there is room for */
    uint block_count;
    uint slot_count;  /* blocks whose field is held */
    uint batch_first; /* blocks whose cells are meshed: batch_first to batch_end - 1 */
    uint batch_end;
    uint vertices_after;      /* that later slabs made */
    uint single_batch;        /* not 0: the frame is one slab, whose indices count from its start */
    uint bin_shift;           /* log2 of the cells along a bin: 2 or 3 */
    uint bin_reach;           /* bins that the search radius spans */
    uint spray_neighbours;    /* particles with fewer leave the surface; 0: none does */
    float reach;              /* cells: search radius */
    float radius;             /* cells: particle radius (Zhu-Bridson) */
    float iso;                /* of the colour field */
    float outside;            /* field where no particle is in reach */
    float damping_max_weight; /* below this sum of weights the radius may be damped */
    float kernel;         /* cells: radius of a round kernel; the reach is that of the longest */
    uint vertex_capacity; /* vertices and triangles that their buffers hold */
    uint triangle_capacity;
    uint unused_a;
    uint unused_b;
};
WEIR_SIZE_CHECK(struct mesh_params, 128);

struct mesh_state {
    uint
        low[4]; /* bounds as order-preserving words, inverted; [3]: positions that are not finite */
    uint high[4];             /* [3]: particles of the fullest bin, where that is too many */
    uint surface_dispatch[4]; /* VkDispatchIndirectCommand over the surface blocks */
    uint slot_dispatch[4];    /* the same over the blocks whose field is held */
    uint surface_count;
    uint vertex_count; /* of the slab */
    uint triangle_count;
    uint spray_count;
    uint overflow;    /* not 0: the lattice, or the room for super blocks, does not hold all */
    uint block_count; /* 0 where what was taken for granted does not hold: nothing more is done */
    uint slot_count;  /* blocks whose field is held */
    uint unused;
};
WEIR_SIZE_CHECK(struct mesh_state, 96);

#endif
