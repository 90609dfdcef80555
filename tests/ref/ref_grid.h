/* What the grid must give, on the CPU: cells, the stable order, neighbour lists. */
#ifndef WEIR_TESTS_REF_GRID_H
#define WEIR_TESTS_REF_GRID_H

#include "base.h"

#include "shared/grid.h"

/* Fixed-point where the grid has a unit, else metres; w < 0 in either is dead. */
typedef union ref_position {
    ivec4 fixed;
    vec4 metres;
} ref_position;

/* The number of the cell that a position belongs to; the dead (w < 0) come after all others. */
uint32_t ref_grid_key(const struct grid_params *grid, ref_position position);

/* Stable order by (cell, id): order[k] is the index of particle k of the order. Returns how many
 * are alive, which come first. Errors: UINT32_MAX when memory is short. */
uint32_t ref_grid_sort(const struct grid_params *grid, const ref_position *positions,
                       const uint32_t *ids, uint32_t count, uint32_t *order);

/* Every element becomes the sum of all elements before it. */
void ref_grid_scan(uint32_t *data, size_t count);

/* a - b, m, in double precision, by the shorter one on periodic axes. */
typedef struct ref_offset {
    double x, y, z, squared;
} ref_offset;
ref_offset ref_grid_offset(const struct grid_params *grid, ref_position a, ref_position b);

/* Pairs within this share of the squared radius may count as neighbours or not: float32 rounds. */
#define REF_GRID_ROUNDING 2e-6

/* Calls `found` for all j != i in [0, count) that are within the radius of i, or just outside it:
 * `sure` is false in the zone where rounding decides. */
typedef void ref_grid_found(void *user, uint32_t j, bool sure);

/* Buckets of positions, for many queries; not the cells of the shaders. */
typedef struct ref_buckets {
    uint32_t *heads, *next;
    uint32_t bucket_count;
    double cell;
} ref_buckets;
bool ref_buckets_create(const struct grid_params *grid, const ref_position *positions,
                        uint32_t count, ref_buckets *buckets);
void ref_buckets_free(ref_buckets *buckets);

/* Without buckets all particles are tried. With them `found` may be called twice for one neighbour,
 * for two of its images. */
typedef struct ref_query {
    const struct grid_params *grid;
    const ref_position *positions;
    uint32_t count;
    const ref_buckets *buckets;
} ref_query;
void ref_query_neighbours(const ref_query *query, uint32_t i, ref_grid_found *found, void *user);

#endif
