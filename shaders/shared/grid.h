/* The grid of the neighbour search: bins in two levels, counting sort, neighbour lists.
 *
 * The domain is divided into bins half a support radius wide, or a whole one where halves would be
 * too many. 32 bins in a row along x make a segment. A segment that contains a particle is active;
 * only active segments have bin counters, so a domain may be far larger than the fluid. Lines of
 * bins along x are numbered in tiles: 8 along y, then all of z, then the next 8 along y, so that
 * neighbours are close in memory however large the domain is. Segments are numbered along x, then
 * by line, and so are the bins and, after the sort, the particles: a row of neighbouring bins is
 * one contiguous range of particles.
 *
 * Where the whole domain has few bins for the number of particles, every segment is always active
 * (dense): `segments` counts them, and no pass marks or scans it.
 *
 * A rank of several holds a slab of the domain and ghosts around it, whose bins are numbered in
 * parts: src/grid/parts.h. */
#ifndef WEIR_SHARED_GRID_H
#define WEIR_SHARED_GRID_H

#include "glue.h"

#define GRID_SEGMENT_BINS 32u
#define GRID_TILE_LINES 8u       /* lines of bins along y that are numbered together */
#define GRID_LIST_INTERLEAVE 32u /* particles with interleaved lists, so that reads coalesce */
#define GRID_LIST_STEP 4u        /* consecutive neighbours that are read at once */
/* A compact list stores a neighbour in 16 bits, in steps of eight: the difference between its index
 * and the particle's own, plus GRID_COMPACT_OFFSET; with GRID_COMPACT_OTHER_BASE the difference is
 * from the particle's other base instead. Neighbours that are far away in the order lie close
 * together, in the next tile of lines, so one other base is enough. This base is the last word of
 * the list, whose last four entries hold no neighbours. A particle that needs a third base makes
 * all lists wide. */
#define GRID_COMPACT_STEP 8u
#define GRID_COMPACT_TAIL 4u /* entries at the end of the list */
#define GRID_COMPACT_OFFSET 16384u
#define GRID_COMPACT_OTHER_BASE 32768u
#define GRID_SCAN_PER_INVOCATION 16u /* elements that one invocation of a scan sums */
#define GRID_SCAN_WORKGROUP 256u
#define GRID_SCAN_TILE (GRID_SCAN_PER_INVOCATION * GRID_SCAN_WORKGROUP)
#define GRID_COUNT_MASK 0xfffu     /* low bits of a list header: number of neighbours */
#define GRID_MAX_DISPATCH_X 65535u /* workgroups along x that every device supports */

#define GRID_OVERFLOW_SEGMENTS 1u
#define GRID_OVERFLOW_LISTS 2u
#define GRID_OVERFLOW_PARTICLES 4u
#define GRID_OVERFLOW_COMPACT 8u /* a neighbour that compact lists cannot encode */
#define GRID_OVERFLOW_BLOCKS 16u /* blocks of shaders/shared/poisson.h */

/* Dispatch arguments inside grid_state, as word offsets / 3. */
#define GRID_ARGS_PARTICLES 0u
#define GRID_ARGS_BIN_TILES 1u
#define GRID_ARGS_LIVE 2u
#define GRID_ARGS_NEAR 3u
#define GRID_ARGS_HELD 4u
#define GRID_ARGS_EDGES 5u  /* of a rank: own particles that neighbours have ghosts of */
#define GRID_ARGS_GHOSTS 6u /* of a rank */
#define GRID_ARGS_COUNT 7u

/* Bindings of the grid's shaders. */
#define GRID_BIND_grid WEIR_STRUCT(0, grid_params)
#define GRID_BIND_state WEIR_STRUCT(1, grid_state)
/* in the caller's order: fixed-point, or float bits of metres; w < 0: dead */
#define GRID_BIND_positions WEIR_ARRAY(2, ivec4)
#define GRID_BIND_sorted_positions WEIR_ARRAY(3, ivec4) /* fixed-point */
#define GRID_BIND_bin_keys WEIR_ARRAY(4, uint)          /* per particle: its bin */
/* per particle: its number within the bin, in the order of arrival */
#define GRID_BIND_bin_ranks WEIR_ARRAY(5, uint)
/* per segment: 1 if active; after the scan the number of active segments before it */
#define GRID_BIND_segments WEIR_ARRAY(6, uint)
/* per bin of an active segment: its particles; after the scan the number of particles before it */
#define GRID_BIND_bin_starts WEIR_ARRAY(7, uint)
#define GRID_BIND_ids WEIR_ARRAY(8, uint)
/* particles by bin, not yet ordered within it: index, id */
#define GRID_BIND_unsorted_entries WEIR_ARRAY(9, uvec2)
/* per sorted particle: its index before the sort */
#define GRID_BIND_sort_sources WEIR_ARRAY(10, uint)
#define GRID_BIND_neighbour_lists WEIR_ARRAY(11, uint) /* interleaved: GRID_LIST_INTERLEAVE */
/* per particle: GRID_COUNT_MASK is the length of its list, the other bits are flags */
#define GRID_BIND_neighbour_headers WEIR_ARRAY(12, uint)
#define GRID_BIND_scan_data WEIR_ARRAY(13, uint)      /* input and output of a scan */
#define GRID_BIND_scan_tile_sums WEIR_ARRAY(14, uint) /* sums of the scan's tiles */
/* words that hold the number of elements to scan */
#define GRID_BIND_scan_lengths WEIR_ARRAY(15, uint)
#define GRID_BIND_points WEIR_ARRAY(16, vec4)        /* m, in the caller's order */
#define GRID_BIND_sorted_points WEIR_ARRAY(17, vec4) /* m */
#define GRID_BIND_fit WEIR_STRUCT(18, anisotropy_params)
#define GRID_BIND_centres WEIR_ARRAY(19, vec4)       /* src/grid/grid.h */
#define GRID_BIND_shapes WEIR_ARRAY(20, vec4)        /* src/grid/grid.h */
#define GRID_BIND_list_vectors WEIR_ARRAY(21, uvec4) /* neighbour_lists, a vector at a time */
#define GRID_BIND_densities WEIR_ARRAY(22, float)    /* sums of the list-reading benchmark */
#define GRID_BIND_scan_vectors WEIR_ARRAY(23, uvec4) /* scan_data, a vector at a time */
#define GRID_BIND_bin_vectors WEIR_ARRAY(24, uvec4)  /* bin_starts, a vector at a time */
#define GRID_BIND_parts WEIR_STRUCT(25, grid_parts)
#define GRID_BINDINGS 26u

/* Specialization constants: id and name. */
#define GRID_CONSTANTS(FLAG, NUMBER)                                                    \
    FLAG(1, PERIODIC)                                                                   \
    FLAG(2, DENSE)                                                                      \
    FLAG(3, COMPACT)  /* compact neighbour lists */                                     \
    FLAG(4, FIXED)    /* positions are fixed-point, not metres */                       \
    FLAG(5, BY_INDEX) /* particles of a bin keep the caller's order, not that of ids */ \
    NUMBER(6, PARTICLE_WORKGROUP) /* workgroup size of passes over particles */         \
    FLAG(7, CUT)                  /* the grid is that of a rank: shaders/shared/grid.h */

/* pass.constant of a scan: the number of its elements, or with this bit the index of the word of
 * `scan_lengths` that holds it. */
#define GRID_SCAN_COUNTED 0x80000000u
/* The sums of the tiles are not summed yet: the last pass of the scan does so. */
#define GRID_SCAN_UNSUMMED_TILES 0x40000000u

struct grid_params {
    vec4 origin;           /* xyz m: lower corner of bin 0 */
    vec4 inverse_bin_size; /* xyz 1/m; a bin is at least radius / subdivision on every axis */
    vec4 period;           /* xyz m on periodic axes, 0 elsewhere */
    ivec4 corner;          /* xyz of the origin, if positions are fixed-point (grid_fixed_point) */
    ivec4 fixed_period;
    float radius2; /* m2: support radius squared */
    uint bins_x;
    uint bins_y;
    uint bins_z;
    uint segments_x;
    uint segment_count;    /* of the whole domain; segment number segment_count holds the dead */
    uint segment_capacity; /* active segments that the bin table has room for */
    uint list_capacity;    /* neighbours per particle */
    uint particle_capacity;
    uint subdivision;        /* bins that the support radius spans */
    float radius;            /* m */
    float unit;              /* m: unit of fixed-point positions; 0 if positions are in metres */
    float radius2_units;     /* support radius squared, in units squared */
    uint max_compact_offset; /* bound of the differences in compact lists; at most
                                GRID_COMPACT_OFFSET */
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct grid_params, 144);

#define GRID_PARTS_MAX 9u
#define GRID_NOT_CUT 3u /* grid_parts.axis of a single rank */

/* A part of the bins that a rank holds: a box that spans planes `first` to `end` - 1 along the axis
 * of the cuts and the whole domain along the others. Its bins are numbered like a domain of their
 * own, from segment number first_segment on. */
struct grid_part {
    uint first, end;
    uint first_segment;
    uint segments_x; /* of a line of bins along x */
    uint bins_y, bins_z;
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct grid_part, 32);
#ifdef __STDC_VERSION__
typedef struct grid_part grid_part; /* GLSL names a struct without the keyword */
#endif

/* The bins that a rank holds: src/grid/parts.h. A single rank's are those of the whole domain. */
struct grid_parts {
    uint axis;                /* of the cuts: 0, 1, 2; GRID_NOT_CUT */
    uint own, near, held;     /* numbers of parts: own ones, those up to the first layer, all */
    uint segment_count;       /* of all parts */
    uint first, end;          /* own planes */
    uint depth;               /* planes of ghosts on each side */
    uint has_left, has_right; /* neighbours; both 0 or 1 */
    /* planes in which a particle that leaves the slab is still only the neighbour's business */
    uint low_limit, high_limit;
    grid_part items[9]; /* GRID_PARTS_MAX */
};
WEIR_SIZE_CHECK(struct grid_parts, 336);

struct grid_state {
    uint arguments[21]; /* VkDispatchIndirectCommand, GRID_ARGS_COUNT of them */
    uint count;         /* particles before the sort */
    uint live;          /* particles after the sort, which puts the dead last; on ranks own ones */
    uint near;          /* own ones and the first layer of ghosts */
    uint held;          /* all that a rank holds */
    uint active_segments;
    uint flags; /* GRID_OVERFLOW_ and others; if not 0, all later passes do nothing */
    uint needed_segments;
    uint needed_list_capacity;
    uint segment_scan_length; /* number of elements to scan */
    uint bin_scan_length;
    uint needed_blocks;
    uint everyone;       /* live particles of all ranks; of a single one `live` */
    uint part_starts[9]; /* with several ranks: particles before each part; `held` after the last */
};
WEIR_SIZE_CHECK(struct grid_state, 168);

#endif
