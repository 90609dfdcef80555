/* The grid: cells in two levels, counting sort, neighbour lists.
 *
 * The domain is cut into cells of half a support radius, or of a whole one where halves are too
 * many. 32 cells in a row along x make a segment. A segment with a particle in it is active; only
 * active segments have cell counters, so a domain may be far larger than the fluid. Lines of cells
 * along x are numbered in tiles: 8 along y, then all of z, then the next 8 along y, so that
 * neighbours stand near in memory however large the domain is. Segments are numbered along x, then
 * by line, and so are the cells and, after the sort, the particles: a row of neighbouring cells is
 * one range.
 *
 * Where the whole domain's cells are few for the particles, every segment is active once and for
 * all (dense): `segments` counts them, and no row marks or scans it. */
#ifndef WEIR_SHARED_GRID_H
#define WEIR_SHARED_GRID_H

#include "glue.h"

#define GRID_SEGMENT_BINS 32u
#define GRID_TILE_LINES 8u       /* lines of cells along y that are numbered together */
#define GRID_LIST_INTERLEAVE 32u /* particles whose lists are interleaved: reads coalesce */
#define GRID_LIST_STEP 4u        /* neighbours that stand together and are read at once */
/* A compact list takes 16 bits for a neighbour, in steps of eight: the difference of its index from
 * the particle's own, or with GRID_COMPACT_OTHER_BASE from the particle's other base, plus
 * GRID_COMPACT_OFFSET.
 * Neighbours far away in the order stand together, in the next tile of lines, so that one other
 * base is enough. It is the last word of the list, whose last four entries hold no neighbours. A
 * particle that needs a third base makes all lists wide. */
#define GRID_COMPACT_STEP 8u
#define GRID_COMPACT_TAIL 4u /* entries at the end of the list */
#define GRID_COMPACT_OFFSET 16384u
#define GRID_COMPACT_OTHER_BASE 32768u
#define GRID_SCAN_PER_INVOCATION 16u /* elements that one invocation of a scan sums */
#define GRID_SCAN_WORKGROUP 256u
#define GRID_SCAN_TILE (GRID_SCAN_PER_INVOCATION * GRID_SCAN_WORKGROUP)
#define GRID_COUNT_MASK 0xfffu     /* low bits of a particle's list header: neighbours */
#define GRID_MAX_DISPATCH_X 65535u /* most workgroups along x that every device offers */

#define GRID_OVERFLOW_SEGMENTS 1u
#define GRID_OVERFLOW_LISTS 2u
#define GRID_OVERFLOW_PARTICLES 4u
#define GRID_OVERFLOW_COMPACT 8u /* a neighbour that compact lists cannot name */
#define GRID_OVERFLOW_BLOCKS 16u /* of shaders/shared/poisson.h */

/* Dispatch arguments inside grid_state, as word offsets / 3. */
#define GRID_ARGS_PARTICLES 0u
#define GRID_ARGS_BINS 1u
#define GRID_ARGS_BIN_TILES 2u
#define GRID_ARGS_LIVE 3u
#define GRID_ARGS_COUNT 4u

/* What the grid's kernels bind. */
#define GRID_BIND_grid WEIR_STRUCT(0, grid_params)
#define GRID_BIND_state WEIR_STRUCT(1, grid_state)
/* in the caller's order: fixed-point, or bits of metres; w < 0 is dead */
#define GRID_BIND_positions WEIR_ARRAY(2, ivec4)
#define GRID_BIND_sorted_positions WEIR_ARRAY(3, ivec4) /* fixed-point */
#define GRID_BIND_bin_keys WEIR_ARRAY(4, uint)          /* cell of each particle */
#define GRID_BIND_bin_ranks \
    WEIR_ARRAY(5, uint)                        /* its number in the cell, in the order of arrival */
#define GRID_BIND_segments WEIR_ARRAY(6, uint) /* active ones before each, scanned */
/* particles before each cell of an active segment, scanned */
#define GRID_BIND_bin_starts WEIR_ARRAY(7, uint)
#define GRID_BIND_ids WEIR_ARRAY(8, uint)
/* particles by cell, not yet in order: index, id */
#define GRID_BIND_unsorted_entries WEIR_ARRAY(9, uvec2)
#define GRID_BIND_sort_sources WEIR_ARRAY(10, uint)    /* index before the sort */
#define GRID_BIND_neighbour_lists WEIR_ARRAY(11, uint) /* interleaved: GRID_LIST_INTERLEAVE */
#define GRID_BIND_neighbour_headers \
    WEIR_ARRAY(12, uint)                         /* GRID_COUNT_MASK is the length of the list */
#define GRID_BIND_scan_data WEIR_ARRAY(13, uint) /* what a scan works on */
#define GRID_BIND_scan_tile_sums WEIR_ARRAY(14, uint) /* its tile sums */
#define GRID_BIND_scan_lengths \
    WEIR_ARRAY(15, uint)                      /* where a scan finds how many elements it has */
#define GRID_BIND_points WEIR_ARRAY(16, vec4) /* m, in the caller's order */
#define GRID_BIND_sorted_points WEIR_ARRAY(17, vec4) /* m */
#define GRID_BIND_fit WEIR_STRUCT(18, anisotropy_params)
#define GRID_BIND_centres WEIR_ARRAY(19, vec4)       /* src/grid/grid.h */
#define GRID_BIND_shapes WEIR_ARRAY(20, vec4)        /* likewise */
#define GRID_BIND_list_vectors WEIR_ARRAY(21, uvec4) /* lists, as their readers take them */
#define GRID_BIND_densities WEIR_ARRAY(22, float)    /* what the trial of lists sums */
#define GRID_BINDINGS 23u

/* Specialization constants: id and name. */
#define GRID_CONSTANTS(FLAG, NUMBER)                                                           \
    FLAG(1, PERIODIC)                                                                          \
    FLAG(2, DENSE)                                                                             \
    FLAG(3, COMPACT)  /* lists */                                                              \
    FLAG(4, FIXED)    /* positions are fixed-point, not metres */                              \
    FLAG(5, BY_INDEX) /* a cell's particles stand in the caller's order, not in that of ids */ \
    NUMBER(6, GROUP)  /* invocations of a workgroup in rows over particles */

/* row.constant of a scan: the number of its elements, or with this bit the word of `lengths` that
 * holds it. */
#define GRID_SCAN_COUNTED 0x80000000u

struct grid_params {
    vec4 origin;           /* xyz m: lower corner of cell 0 */
    vec4 inverse_bin_size; /* xyz 1/m; a cell is at least radius / subdivision on every axis */
    vec4 period;           /* xyz m on periodic axes, 0 elsewhere */
    ivec4 corner; /* xyz of the origin, where positions are fixed-point (grid_fixed_point) */
    ivec4 fixed_period;
    float radius2; /* m2: support radius squared */
    uint bins_x;
    uint bins_y;
    uint bins_z;
    uint segments_x;
    uint segment_count;    /* of the whole domain; number segment_count holds the dead */
    uint segment_capacity; /* active ones that the cell table has room for */
    uint list_capacity;    /* neighbours per particle */
    uint particle_capacity;
    uint subdivision;        /* cells that the support radius spans */
    float radius;            /* m */
    float unit;              /* m, of fixed-point positions; 0 where positions are in metres */
    float radius2_units;     /* the support radius squared in units */
    uint max_compact_offset; /* differences in compact lists are smaller; at most
                                GRID_COMPACT_OFFSET */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct grid_params, 144);

struct grid_state {
    uint arguments[12]; /* VkDispatchIndirectCommand, GRID_ARGS_COUNT of them */
    uint count;         /* particles before the sort */
    uint live;          /* particles after it: the dead are sorted behind them */
    uint active_segments;
    uint flags; /* GRID_OVERFLOW_*: no later row does any work */
    uint needed_segments;
    uint needed_list_capacity;
    uint segment_scan_length; /* elements to scan */
    uint bin_scan_length;
    uint needed_blocks;
};
WEIR_SIZE_CHECK(struct grid_state, 84);

#endif
