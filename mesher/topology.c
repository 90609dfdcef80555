/* Finds the triangles that share edges, and connected components. */
#include "surface_internal.h"

#include <stdlib.h>

/* ---- uses of edges -------------------------------------------------------------------------- */

static bool is_before(const surface_edge_use *a, const surface_edge_use *b)
{
    return a->high != b->high ? a->high < b->high : a->corner < b->corner;
}

static int compare_uses(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

/* Sorts a bucket. Buckets hold three uses on average; only a damaged or fan-shaped mesh has long
 * ones. */
static void sort_bucket(surface_edge_use *items, size_t count)
{
    enum { LONG = 24 };
    if (count > LONG) {
        qsort(items, count, sizeof *items, compare_uses);
        return;
    }
    for (size_t i = 1; i < count; ++i) {
        const surface_edge_use item = items[i];
        size_t j = i;
        for (; j > 0 && is_before(&item, &items[j - 1]); --j)
            items[j] = items[j - 1];
        items[j] = item;
    }
}

static void sort_buckets(void *user, size_t first, size_t end)
{
    const surface_edge_uses *uses = user;
    for (size_t v = first; v < end; ++v)
        sort_bucket(uses->items + uses->first[v], uses->first[v + 1] - uses->first[v]);
}

static uint32_t lower_vertex(const uint32_t *index, uint32_t h)
{
    const uint32_t a = index[h], b = index[surface_next_corner(h)];
    return a < b ? a : b;
}

static void count_edge_uses(const mesher_surface *surface, uint32_t *first)
{
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        if (surface_repeats_vertex(surface->index + 3 * (size_t)t)) continue;
        for (uint32_t h = 3 * t; h < 3 * t + 3; ++h)
            first[lower_vertex(surface->index, h) + 1]++;
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        first[v + 1] += first[v];
}

/* Fills the buckets. Afterwards first[v] is the end of the uses of v, so the array shifts by
 * one. */
static void store_edge_uses(const mesher_surface *surface, surface_edge_uses *uses)
{
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        if (surface_repeats_vertex(surface->index + 3 * (size_t)t)) continue;
        for (uint32_t h = 3 * t; h < 3 * t + 3; ++h) {
            const uint32_t a = surface->index[h], b = surface->index[surface_next_corner(h)];
            uses->items[uses->first[lower_vertex(surface->index, h)]++] =
                (surface_edge_use){a < b ? b : a, h};
        }
    }
    memmove(uses->first + 1, uses->first, surface->vertex_count * sizeof *uses->first);
    uses->first[0] = 0;
}

weir_result surface_edge_uses_create(const weir_log *log, const mesher_surface *surface,
                                     surface_edge_uses *uses)
{
    *uses = (surface_edge_uses){.vertex_count = surface->vertex_count};
    if (surface->triangle_count > SURFACE_TRIANGLES_MAX)
        return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                         "a mesh of %u triangles: at most %u can be processed",
                         surface->triangle_count, SURFACE_TRIANGLES_MAX);
    uses->first = base_alloc((size_t)surface->vertex_count + 1, sizeof *uses->first);
    uses->items = base_alloc(surface->triangle_count, 3 * sizeof *uses->items);
    if (!uses->first || !uses->items) {
        surface_edge_uses_free(uses);
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the edges of %u triangles",
                         surface->triangle_count);
    }
    count_edge_uses(surface, uses->first);
    store_edge_uses(surface, uses);
    base_parallel_for(surface->vertex_count, SURFACE_CHUNK, sort_buckets, uses);
    return WEIR_OK;
}

void surface_edge_uses_free(surface_edge_uses *uses)
{
    base_free(uses->first);
    base_free(uses->items);
    *uses = (surface_edge_uses){0};
}

/* ---- components ----------------------------------------------------------------------------- */

/* Numbers the components in `of_vertex`, which holds the parents of the union-find on entry.
 * Returns their number. */
static uint32_t number_components(const mesher_surface *surface, uint32_t *of_vertex, bool *used)
{
    uint32_t count = 0;
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; ++i)
        used[surface->index[i]] = true;
    /* A set's representative is its lowest member, so it is numbered before the others. */
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        if (!used[v])
            of_vertex[v] = SURFACE_NO_INDEX;
        else
            of_vertex[v] = of_vertex[v] == v ? count++ : of_vertex[of_vertex[v]];
    }
    return count;
}

static void union_triangles(const mesher_surface *surface, uint32_t *parent)
{
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        parent[v] = v;
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *c = surface->index + 3 * (size_t)t;
        const uint32_t at = parent[c[0]];
        if (parent[c[1]] == at && parent[c[2]] == at) continue; /* most triangles */
        union_find_join(parent, c[0], c[1]);
        union_find_join(parent, c[0], c[2]);
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        parent[v] = union_find_root(parent, v);
}

static void measure_components(const mesher_surface *surface, surface_components *parts)
{
    const vec3 origin = surface->vertex_count > 0 ? surface->position[0] : (vec3){0, 0, 0};
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *c = surface->index + 3 * (size_t)t;
        surface_component *part = &parts->items[parts->of_vertex[c[0]]];
        double volume_6, area_2;
        surface_volume_and_area(surface->position, c, origin, &volume_6, &area_2);
        part->triangles++;
        part->volume += volume_6 / 6;
        part->area += area_2 / 2;
    }
}

static void mark_open_components(const mesher_surface *surface, const surface_edge_uses *uses,
                                 surface_components *parts)
{
    for (surface_edge edge = {0}; surface_next_edge(uses, &edge);) {
        uint32_t forward = 0;
        for (uint32_t k = 0; k < edge.count; ++k)
            forward += surface->index[edge.uses[k].corner] == edge.low;
        if (2 * forward != edge.count) parts->items[parts->of_vertex[edge.low]].closed = false;
    }
}

weir_result surface_components_create(const weir_log *log, const mesher_surface *surface,
                                      const surface_edge_uses *uses, surface_components *parts)
{
    *parts = (surface_components){0};
    bool *used = base_alloc(surface->vertex_count, sizeof *used);
    parts->of_vertex = base_alloc(surface->vertex_count, sizeof *parts->of_vertex);
    if (used && parts->of_vertex) {
        union_triangles(surface, parts->of_vertex);
        parts->count = number_components(surface, parts->of_vertex, used);
        parts->items = base_alloc(parts->count, sizeof *parts->items);
    }
    base_free(used);
    if (!parts->of_vertex || !parts->items) {
        surface_components_free(parts);
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the parts of %u triangles",
                         surface->triangle_count);
    }
    for (uint32_t i = 0; i < parts->count; ++i)
        parts->items[i].closed = true;
    measure_components(surface, parts);
    if (uses) mark_open_components(surface, uses, parts);
    return WEIR_OK;
}

void surface_components_free(surface_components *parts)
{
    base_free(parts->items);
    base_free(parts->of_vertex);
    *parts = (surface_components){0};
}
