/* Finds the components that lie inside others, by rays along x from one point of each candidate,
 * all components at once. Whether the projection of a triangle on the yz plane contains a ray is
 * decided by its edges, under a half-open rule that depends on the edge alone, so that no ray
 * passes between two triangles. */
#include "surface_internal.h"

typedef struct ray_query {
    uint32_t part;
    uint32_t next; /* in the same bin */
    double x, y, z;
    bool odd; /* parity of the crossings so far */
} ray_query;

typedef struct query_bins {
    uint32_t side; /* bins along y and z */
    double low[2], size[2];
    uint32_t *head; /* [side * side] first query, or SURFACE_NO_INDEX */
    ray_query *queries;
    uint32_t count;
} query_bins;

static uint32_t bin_of(const query_bins *b, int axis, double value)
{
    const double at = (value - b->low[axis]) / b->size[axis];
    return at <= 0 ? 0 : at >= b->side - 1.0 ? b->side - 1 : (uint32_t)at;
}

/* Creates a query for each candidate component, from the centre of its first triangle. */
static void make_queries(const mesher_surface *surface, const surface_components *components,
                         query_bins *b, bool *queried)
{
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *c = surface->index + 3 * (size_t)t;
        const uint32_t part = components->of_vertex[c[0]];
        if (queried[part] || !components->items[part].closed || components->items[part].volume >= 0)
            continue;
        queried[part] = true;
        ray_query *q = &b->queries[b->count++];
        *q = (ray_query){.part = part};
        for (int k = 0; k < 3; ++k) {
            q->x += (double)surface->position[c[k]].x / 3;
            q->y += (double)surface->position[c[k]].y / 3;
            q->z += (double)surface->position[c[k]].z / 3;
        }
    }
}

static void sort_queries(query_bins *b)
{
    double high[2] = {-INFINITY, -INFINITY};
    b->low[0] = b->low[1] = INFINITY;
    for (uint32_t i = 0; i < b->count; ++i) {
        const double at[2] = {b->queries[i].y, b->queries[i].z};
        for (int k = 0; k < 2; ++k) {
            b->low[k] = fmin(b->low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    for (int k = 0; k < 2; ++k)
        b->size[k] = high[k] > b->low[k] ? (high[k] - b->low[k]) / b->side : 1;
    for (uint32_t i = 0; i < b->side * b->side; ++i)
        b->head[i] = SURFACE_NO_INDEX;
    for (uint32_t i = 0; i < b->count; ++i) {
        ray_query *q = &b->queries[i];
        uint32_t *head = &b->head[bin_of(b, 0, q->y) * b->side + bin_of(b, 1, q->z)];
        q->next = *head;
        *head = i;
    }
}

/* Returns whether the half-line from (y, z) along +y crosses the edge. The ends are taken in the
 * order of their indices, so that both triangles of the edge get the same answer. */
static bool ray_crosses_edge(const vec3 *position, uint32_t a, uint32_t b, double y, double z)
{
    const vec3 p = position[a < b ? a : b], q = position[a < b ? b : a];
    const double py = (double)p.y, pz = (double)p.z, qy = (double)q.y, qz = (double)q.z;
    if ((pz <= z) == (qz <= z)) return false;
    return py + (z - pz) / (qz - pz) * (qy - py) > y;
}

static bool projection_contains(const vec3 *position, const uint32_t *c, double y, double z)
{
    int crossings = 0;
    for (int k = 0; k < 3; ++k)
        crossings += ray_crosses_edge(position, c[k], c[(k + 1) % 3], y, z);
    return crossings == 1;
}

static bool is_hit_ahead(const vec3 *position, const uint32_t *c, const ray_query *q)
{
    const vec3 a = position[c[0]];
    const vec3 n = surface_area_vector(a, position[c[1]], position[c[2]]);
    const double nx = (double)n.x, ny = (double)n.y, nz = (double)n.z;
    if (nx == 0) return (double)a.x > q->x;
    const double x = (double)a.x - (ny * (q->y - (double)a.y) + nz * (q->z - (double)a.z)) / nx;
    return x > q->x;
}

static void test_bin(const mesher_surface *surface, query_bins *b, const uint32_t *c, uint32_t bin,
                     uint32_t part)
{
    for (uint32_t i = b->head[bin]; i != SURFACE_NO_INDEX; i = b->queries[i].next) {
        ray_query *q = &b->queries[i];
        if (q->part != part && projection_contains(surface->position, c, q->y, q->z) &&
            is_hit_ahead(surface->position, c, q))
            q->odd = !q->odd;
    }
}

static void cast_rays(const mesher_surface *surface, const surface_components *components,
                      const bool *removed, query_bins *b)
{
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *c = surface->index + 3 * (size_t)t;
        const uint32_t part = components->of_vertex[c[0]];
        if (!components->items[part].closed || (removed && removed[part])) continue;
        const vec3 p = surface->position[c[0]], q = surface->position[c[1]];
        const vec3 r = surface->position[c[2]];
        const vec3 low = vec3_min(p, vec3_min(q, r)), high = vec3_max(p, vec3_max(q, r));
        const uint32_t y_end = bin_of(b, 0, (double)high.y), z_end = bin_of(b, 1, (double)high.z);
        for (uint32_t y = bin_of(b, 0, (double)low.y); y <= y_end; ++y)
            for (uint32_t z = bin_of(b, 1, (double)low.z); z <= z_end; ++z)
                test_bin(surface, b, c, y * b->side + z, part);
    }
}

weir_result surface_components_nest(const weir_log *log, const mesher_surface *surface,
                                    surface_components *components, const bool *removed)
{
    enum { SIDE_MAX = 512 };
    uint32_t count = 0;
    for (uint32_t i = 0; i < components->count; ++i)
        count += components->items[i].closed && components->items[i].volume < 0;
    if (count == 0) return WEIR_OK;
    query_bins b = {.side = (uint32_t)fmin(ceil(sqrt(count)), SIDE_MAX)};
    b.head = base_alloc((size_t)b.side * b.side, sizeof *b.head);
    b.queries = base_alloc(count, sizeof *b.queries);
    bool *queried = base_alloc(components->count, sizeof *queried);
    const bool ready = b.head && b.queries && queried;
    if (ready) {
        make_queries(surface, components, &b, queried);
        sort_queries(&b);
        cast_rays(surface, components, removed, &b);
        for (uint32_t i = 0; i < b.count; ++i)
            components->items[b.queries[i].part].inside = b.queries[i].odd;
    }
    base_free(b.head);
    base_free(b.queries);
    base_free(queried);
    if (!ready)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to find %u voids", count);
    return WEIR_OK;
}
