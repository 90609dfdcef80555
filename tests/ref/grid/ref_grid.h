/* Reference of the grid on the CPU: bins, the stable order, neighbour lists. */
#ifndef WEIR_TESTS_REF_GRID_H
#define WEIR_TESTS_REF_GRID_H

#include "base.h"

#include "shared/grid.h"

/* Fixed-point where the grid has a unit, otherwise metres. A negative w marks a dead particle in
 * both. */
typedef union ref_position {
    ivec4 fixed;
    vec4 metres;
} ref_position;

/* Returns the index of the bin that contains a position; dead particles (w < 0) sort after all
 * others. */
uint32_t ref_grid_key(const struct grid_params *grid, ref_position position);

/* Sorts stably by (bin, id): order[k] is the index of the k-th particle. Returns the number of live
 * particles, which come first. Errors: UINT32_MAX when memory is short. */
uint32_t ref_grid_sort(const struct grid_params *grid, const ref_position *positions,
                       const uint32_t *ids, uint32_t count, uint32_t *order);

/* Replaces every element by the sum of all elements before it. */
void ref_grid_scan(uint32_t *data, size_t count);

/* The offset a - b, m, in double precision; the shorter one on periodic axes. */
typedef struct ref_offset {
    double x, y, z, squared;
} ref_offset;
ref_offset ref_grid_offset(const struct grid_params *grid, ref_position a, ref_position b);

/* Pairs within this fraction of the squared radius may or may not count as neighbours, because
 * float32 rounds. */
#define REF_GRID_ROUNDING 2e-6

/* Called for all j != i in [0, count) within the radius of i or just outside it; `sure` is false in
 * the zone where rounding decides. */
typedef void ref_grid_found(void *user, uint32_t j, bool sure);

/* Buckets of positions that speed up many queries; they differ from the bins of the shaders. */
typedef struct ref_buckets {
    uint32_t *heads, *next;
    uint32_t bucket_count;
    double cell;
} ref_buckets;
bool ref_buckets_create(const struct grid_params *grid, const ref_position *positions,
                        uint32_t count, ref_buckets *buckets);
void ref_buckets_free(ref_buckets *buckets);

/* Without buckets, a query tests all particles. With them it may report a neighbour twice, for two
 * of its images. */
typedef struct ref_query {
    const struct grid_params *grid;
    const ref_position *positions;
    uint32_t count;
    const ref_buckets *buckets;
} ref_query;
void ref_query_neighbours(const ref_query *query, uint32_t i, ref_grid_found *found, void *user);

#endif
