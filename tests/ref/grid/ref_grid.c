/* Reference of bins, particle order and neighbours, written for simplicity and not for speed. */
#include "ref_grid.h"

#include <stdlib.h>

/* ---- cells and order ------------------------------------------------------------------------ */

/* Computes in float32 like the shaders, so that a position on a bin's face falls to the same
 * side. */
static int64_t cell_on_axis(const struct grid_params *g, ref_position p, int axis)
{
    const float metres[3] = {p.metres.x, p.metres.y, p.metres.z};
    const float origin[3] = {g->origin.x, g->origin.y, g->origin.z};
    const float inverse[3] = {g->inverse_bin_size.x, g->inverse_bin_size.y, g->inverse_bin_size.z};
    const int32_t fixed[3] = {p.fixed.x, p.fixed.y, p.fixed.z};
    const int32_t corner[3] = {g->corner.x, g->corner.y, g->corner.z};
    volatile float offset =
        g->unit > 0.0f ? (float)(fixed[axis] - corner[axis]) : metres[axis] - origin[axis];
    volatile float factor = g->unit > 0.0f ? g->unit * inverse[axis] : inverse[axis];
    return (int64_t)floorf(offset * factor);
}

static uint32_t wrap_bin(int64_t cell, uint32_t cells, bool periodic)
{
    int64_t n = cells;
    if (periodic) return (uint32_t)(((cell % n) + n) % n);
    return (uint32_t)(cell < 0 ? 0 : cell >= n ? n - 1 : cell);
}

uint32_t ref_grid_key(const struct grid_params *g, ref_position p)
{
    if (p.fixed.w < 0) return g->segment_count * GRID_SEGMENT_BINS;
    uint32_t x = wrap_bin(cell_on_axis(g, p, 0), g->bins_x, g->period.x > 0.0f);
    uint32_t y = wrap_bin(cell_on_axis(g, p, 1), g->bins_y, g->period.y > 0.0f);
    uint32_t z = wrap_bin(cell_on_axis(g, p, 2), g->bins_z, g->period.z > 0.0f);
    uint32_t tile = y / GRID_TILE_LINES;
    uint32_t line = (tile * g->bins_z + z) * GRID_TILE_LINES + y % GRID_TILE_LINES;
    return (line * g->segments_x) * GRID_SEGMENT_BINS + x;
}

typedef struct keyed_particle {
    uint32_t key, id, index;
} keyed_particle;

static int compare_keyed(const void *a, const void *b)
{
    const keyed_particle *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

uint32_t ref_grid_sort(const struct grid_params *grid, const ref_position *positions,
                       const uint32_t *ids, uint32_t count, uint32_t *order)
{
    uint32_t live = 0;
    keyed_particle *all = base_alloc(count, sizeof *all);
    if (!all) return UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        all[i] = (keyed_particle){ref_grid_key(grid, positions[i]), ids[i], i};
        live += positions[i].fixed.w >= 0;
    }
    qsort(all, count, sizeof *all, compare_keyed);
    for (uint32_t i = 0; i < count; i++)
        order[i] = all[i].index;
    base_free(all);
    return live;
}

void ref_grid_scan(uint32_t *data, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t value = data[i];
        data[i] = sum;
        sum += value;
    }
}

/* ---- neighbours ----------------------------------------------------------------------------- */

static double shortest_offset(double d, float period)
{
    return period > 0.0f ? d - (double)period * round(d / (double)period) : d;
}

/* Converts a position to metres, from the grid's origin where positions are fixed-point. */
static void metres_of(const struct grid_params *g, ref_position p, double out[3])
{
    double unit = (double)g->unit;
    out[0] = unit > 0 ? unit * ((double)p.fixed.x - g->corner.x) : (double)p.metres.x;
    out[1] = unit > 0 ? unit * ((double)p.fixed.y - g->corner.y) : (double)p.metres.y;
    out[2] = unit > 0 ? unit * ((double)p.fixed.z - g->corner.z) : (double)p.metres.z;
}

ref_offset ref_grid_offset(const struct grid_params *g, ref_position p, ref_position q)
{
    double a[3], b[3];
    metres_of(g, p, a);
    metres_of(g, q, b);
    ref_offset d = {shortest_offset(a[0] - b[0], g->period.x),
                    shortest_offset(a[1] - b[1], g->period.y),
                    shortest_offset(a[2] - b[2], g->period.z), 0};
    d.squared = d.x * d.x + d.y * d.y + d.z * d.z;
    return d;
}

static void visit_if_near(const ref_query *query, uint32_t i, uint32_t j, ref_grid_found *found,
                          void *user)
{
    double limit = (double)query->grid->radius2;
    if (i == j) return;
    double r2 = ref_grid_offset(query->grid, query->positions[i], query->positions[j]).squared;
    double slack = limit * REF_GRID_ROUNDING;
    if (r2 < limit + slack) found(user, j, r2 < limit - slack);
}

/* Buckets are chosen from coordinates folded into one period. Unlike in the shaders, nothing wraps:
 * a query runs once for every image of its point. */
static uint32_t bucket_of(const ref_buckets *b, int64_t x, int64_t y, int64_t z)
{
    uint64_t key = base_hash_mix64((uint64_t)x * 3u) ^ base_hash_mix64((uint64_t)y * 5u + 1u) ^
                   base_hash_mix64((uint64_t)z * 7u + 2u);
    return (uint32_t)(key & (b->bucket_count - 1u));
}

static double wrap_coordinate(double x, double origin, float period)
{
    return period > 0.0f ? x - (double)period * floor((x - origin) / (double)period) : x;
}

static void wrap_position(const struct grid_params *g, ref_position p, double out[3])
{
    bool fixed = g->unit > 0.0f;
    metres_of(g, p, out);
    out[0] = wrap_coordinate(out[0], fixed ? 0.0 : (double)g->origin.x, g->period.x);
    out[1] = wrap_coordinate(out[1], fixed ? 0.0 : (double)g->origin.y, g->period.y);
    out[2] = wrap_coordinate(out[2], fixed ? 0.0 : (double)g->origin.z, g->period.z);
}

static int64_t bucket_cell(const ref_buckets *b, double x)
{
    return (int64_t)floor(x / b->cell);
}

bool ref_buckets_create(const struct grid_params *grid, const ref_position *positions,
                        uint32_t count, ref_buckets *b)
{
    *b = (ref_buckets){.bucket_count = 1024, .cell = sqrt((double)grid->radius2) * 1.001};
    while (b->bucket_count < 2 * count)
        b->bucket_count *= 2;
    b->heads = base_alloc(b->bucket_count, sizeof *b->heads);
    b->next = base_alloc(count, sizeof *b->next);
    if (!b->heads || !b->next) return false;
    for (uint32_t i = 0; i < count; i++) {
        double p[3];
        wrap_position(grid, positions[i], p);
        uint32_t k = bucket_of(b, bucket_cell(b, p[0]), bucket_cell(b, p[1]), bucket_cell(b, p[2]));
        b->next[i] = b->heads[k];
        b->heads[k] = i + 1;
    }
    return true;
}

void ref_buckets_free(ref_buckets *b)
{
    base_free(b->heads);
    base_free(b->next);
    *b = (ref_buckets){0};
}

/* Computes all images of a point along one axis that can be near the domain. */
static int periodic_images(double x, float period, double out[3])
{
    out[0] = x;
    if (period <= 0.0f) return 1;
    out[1] = x - (double)period;
    out[2] = x + (double)period;
    return 3;
}

typedef struct search {
    const ref_query *query;
    uint32_t i;
    ref_grid_found *found;
    void *user;
    uint32_t seen[27];
    size_t seen_count;
} search;

/* Visits each bucket once: different bins may share one. */
static void search_bucket(search *s, uint32_t bucket)
{
    for (size_t k = 0; k < s->seen_count; k++)
        if (s->seen[k] == bucket) return;
    s->seen[s->seen_count++] = bucket;
    const ref_buckets *b = s->query->buckets;
    for (uint32_t j = b->heads[bucket]; j; j = b->next[j - 1])
        visit_if_near(s->query, s->i, j - 1, s->found, s->user);
}

static void search_around(search *s, const double p[3])
{
    const ref_buckets *b = s->query->buckets;
    s->seen_count = 0;
    for (int64_t z = -1; z <= 1; z++)
        for (int64_t y = -1; y <= 1; y++)
            for (int64_t x = -1; x <= 1; x++)
                search_bucket(s, bucket_of(b, bucket_cell(b, p[0]) + x, bucket_cell(b, p[1]) + y,
                                           bucket_cell(b, p[2]) + z));
}

void ref_query_neighbours(const ref_query *query, uint32_t i, ref_grid_found *found, void *user)
{
    const struct grid_params *g = query->grid;
    double p[3], xs[3], ys[3], zs[3];
    search s = {.query = query, .i = i, .found = found, .user = user};
    if (!query->buckets) {
        for (uint32_t j = 0; j < query->count; j++)
            visit_if_near(query, i, j, found, user);
        return;
    }
    wrap_position(g, query->positions[i], p);
    int nx = periodic_images(p[0], g->period.x, xs), ny = periodic_images(p[1], g->period.y, ys);
    int nz = periodic_images(p[2], g->period.z, zs);
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++)
                search_around(&s, (const double[3]){xs[x], ys[y], zs[z]});
}
