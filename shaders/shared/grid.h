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

#define GRID_SEGMENT_CELLS 32u
#define GRID_TILE_LINES 8u  /* lines of cells along y that are numbered together */
#define GRID_LIST_BLOCK 32u /* particles whose lists are interleaved: reads coalesce */
#define GRID_LIST_STEP 4u   /* neighbours that stand together and are read at once */
/* A compact list takes 16 bits for a neighbour, in steps of eight: its way from the particle
 * itself, or with GRID_COMPACT_OTHER from the particle's other base, plus GRID_COMPACT_WAY.
 * Neighbours far away in the order stand together, in the next tile of lines, so that one other
 * base does; it is the last word of the list, whose last four places hold no neighbours. Who needs
 * a third has wide lists made. */
#define GRID_COMPACT_STEP 8u
#define GRID_COMPACT_REST 4u /* places at the end of the list */
#define GRID_COMPACT_WAY 16384u
#define GRID_COMPACT_OTHER 32768u
#define GRID_SCAN_EACH 16u /* elements that one invocation of a scan sums */
#define GRID_SCAN_WORKGROUP 256u
#define GRID_SCAN_TILE (GRID_SCAN_EACH * GRID_SCAN_WORKGROUP)
#define GRID_COUNT_MASK 0xfffu /* low bits of a particle's list header: neighbours */
#define GRID_DISPATCH_X 65535u /* most workgroups along x that every device offers */

#define GRID_OVERFLOW_SEGMENTS 1u
#define GRID_OVERFLOW_LISTS 2u
#define GRID_OVERFLOW_PARTICLES 4u
#define GRID_OVERFLOW_COMPACT 8u /* a neighbour that compact lists cannot name */

/* Dispatch arguments inside grid_state, as word offsets / 3. */
#define GRID_ARGS_PARTICLES 0u
#define GRID_ARGS_CELLS 1u
#define GRID_ARGS_CELL_TILES 2u
#define GRID_ARGS_LIVE 3u
#define GRID_ARGS_COUNT 4u

/* Set 0 bindings of the grid's kernels. */
#define GRID_BIND_PARAMS 0
#define GRID_BIND_STATE 1
#define GRID_BIND_POSITIONS 2
#define GRID_BIND_KEYS 3
#define GRID_BIND_RANKS 4
#define GRID_BIND_SEGMENTS 5
#define GRID_BIND_CELLS 6
#define GRID_BIND_IDS 7
#define GRID_BIND_SLOTS 8
#define GRID_BIND_SOURCES 9
#define GRID_BIND_LISTS 10
#define GRID_BIND_HEADERS 11
#define GRID_BIND_DATA 12 /* the array that a scan works on */
#define GRID_BIND_SUMS 13 /* its tile sums */

struct grid_params {
    vec4 origin;       /* xyz m: lower corner of cell 0 */
    vec4 inverse_cell; /* xyz 1/m; a cell is at least radius / subdivision on every axis */
    vec4 period;       /* xyz m on periodic axes, 0 elsewhere */
    ivec4 corner;      /* xyz place of the origin, where positions are places (grid_places) */
    ivec4 place_period;
    float radius2; /* m2: support radius squared */
    uint cells_x;
    uint cells_y;
    uint cells_z;
    uint segments_x;
    uint segment_count;    /* of the whole domain; number segment_count holds the dead */
    uint segment_capacity; /* active ones that the cell table has room for */
    uint list_capacity;    /* neighbours per particle */
    uint particle_capacity;
    uint subdivision; /* cells that the support radius spans */
    float radius;     /* m */
    float unit;       /* m, of places; 0 where positions are in metres */
    float near2;      /* the support radius squared in units */
    uint compact_way; /* ways of compact lists are shorter; at most GRID_COMPACT_WAY */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct grid_params, 144);

struct grid_state {
    uint arguments[12]; /* VkDispatchIndirectCommand, GRID_ARGS_COUNT of them */
    uint count;         /* particles before the sort */
    uint live;          /* particles after it: the dead are sorted behind them */
    uint active_segments;
    uint flags; /* GRID_OVERFLOW_*: nothing later in the recording does any work */
    uint needed_segments;
    uint needed_list;
    uint segment_scan; /* elements to scan */
    uint cell_scan;
};
WEIR_SIZE_CHECK(struct grid_state, 80);

#endif
