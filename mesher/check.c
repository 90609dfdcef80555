/* Measures the quality of a surface; weir_mesh_info in weir/mesh.h describes each quantity. */
#include "surface_internal.h"

/* ---- edges and fans ------------------------------------------------------------------------- */

typedef struct edge_check {
    const mesher_surface *surface;
    const surface_edge_uses *uses;
    /* [3 * triangle_count] union-find of the corners that meet in one vertex and fan */
    uint32_t *fan;
    bool *nonmanifold; /* [vertex_count] on a non-manifold edge, or in several fans */
    /* [vertex_count] number of the last edge that has a triangle with this vertex */
    uint32_t *third_vertex;
    uint32_t edges;
    weir_mesh_info *info;
} edge_check;

static uint32_t corner_at(const edge_check *e, uint32_t h, uint32_t vertex)
{
    return e->surface->index[h] == vertex ? h : surface_next_corner(h);
}

static uint32_t opposite(const edge_check *e, const surface_edge_use *use)
{
    return e->surface->index[surface_prev_corner(use->corner)];
}

/* Counts duplicate triangles. Triangles with the same three vertices share the edge of the two
 * lowest, and are found there. */
static void count_duplicate_triangles(edge_check *e, const surface_edge *edge)
{
    for (uint32_t i = 0; i < edge->count; ++i) {
        const surface_edge_use *use = &edge->uses[i];
        const uint32_t third_vertex = opposite(e, use);
        e->info->duplicate_triangles +=
            e->third_vertex[third_vertex] == e->edges && third_vertex > use->high;
        e->third_vertex[third_vertex] = e->edges;
    }
}

static void check_edge(edge_check *e, const surface_edge *edge)
{
    const uint32_t a = edge->uses[0].corner;
    e->edges++;
    if (edge->count > 1) count_duplicate_triangles(e, edge);
    if (edge->count > 2) {
        e->info->nonmanifold_edges++;
        e->nonmanifold[edge->low] = e->nonmanifold[edge->high] = true;
    }
    e->info->boundary_edges += edge->count == 1;
    for (uint32_t i = 1; i < edge->count; ++i) {
        const uint32_t b = edge->uses[i].corner;
        union_find_join(e->fan, corner_at(e, a, edge->low), corner_at(e, b, edge->low));
        union_find_join(e->fan, corner_at(e, a, edge->high), corner_at(e, b, edge->high));
        if (edge->count == 2)
            e->info->flipped_edges += e->surface->index[a] == e->surface->index[b];
    }
}

/* Marks vertices with several fans. `seen` receives whether a vertex has a fan. */
static void mark_multifan_vertices(edge_check *e, bool *seen)
{
    const uint32_t *index = e->surface->index;
    for (uint32_t h = 0; h < 3 * e->surface->triangle_count; ++h) {
        const uint32_t v = index[h];
        if (e->fan[h] != h || surface_repeats_vertex(index + h - h % 3)) continue;
        if (seen[v]) e->nonmanifold[v] = true;
        seen[v] = true;
    }
}

static weir_result check_edges(const weir_log *log, edge_check *e)
{
    const mesher_surface *surface = e->surface;
    bool *seen = base_alloc(surface->vertex_count, sizeof *seen);
    e->fan = base_alloc(surface->triangle_count, 3 * sizeof *e->fan);
    e->nonmanifold = base_alloc(surface->vertex_count, sizeof *e->nonmanifold);
    e->third_vertex = base_alloc(surface->vertex_count, sizeof *e->third_vertex);
    const bool ready = seen && e->fan && e->nonmanifold && e->third_vertex;
    if (ready) {
        for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h)
            e->fan[h] = h;
        for (surface_edge edge = {0}; surface_next_edge(e->uses, &edge);)
            check_edge(e, &edge);
        mark_multifan_vertices(e, seen);
        for (uint32_t v = 0; v < surface->vertex_count; ++v)
            e->info->nonmanifold_vertices += e->nonmanifold[v];
    }
    base_free(seen);
    base_free(e->fan);
    base_free(e->nonmanifold);
    base_free(e->third_vertex);
    if (!ready)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the fans of a mesh");
    return WEIR_OK;
}

/* ---- shapes of triangles -------------------------------------------------------------------- */

enum { ANGLE_BINS = 6000, RATIO_BINS = 10000 };
#define ANGLE_BIN_DEGREES 0.01

typedef struct quality_sums {
    double volume_6, area_2;
    double angle, quality, aspect;
    double min_angle;
    uint32_t degenerate;
} quality_sums;

typedef struct quality_check {
    const mesher_surface *surface;
    quality_sums *pieces;
    base_mutex *mutex; /* protects the bins below */
    uint32_t angle[ANGLE_BINS], quality[RATIO_BINS];
    uint32_t flatness[RATIO_BINS]; /* 1 / aspect */
} quality_check;

static uint32_t bin_index(double share, uint32_t bins)
{
    return share >= 1 ? bins - 1 : (uint32_t)(fmax(share, 0) * bins);
}

typedef struct triangle_shape {
    double angle, quality, aspect;
} triangle_shape;

/* Measures a triangle. Returns false if it is degenerate. The smallest angle is opposite the
 * shortest edge. */
static bool measure_triangle(const vec3 *p, const uint32_t *c, double area_2, triangle_shape *out)
{
    double length[3] = {surface_edge_length(p, c[1], c[2]), surface_edge_length(p, c[2], c[0]),
                        surface_edge_length(p, c[0], c[1])};
    const double longest = fmax(length[0], fmax(length[1], length[2]));
    const double sum = length[0] + length[1] + length[2];
    const double product = length[0] * length[1] * length[2];
    if (surface_is_degenerate(p, c, area_2)) return false;
    const double shortest = fmin(length[0], fmin(length[1], length[2]));
    const double two_others = product / shortest; /* area_2 = two_others * sin(angle) */
    const double cosine =
        (sum * sum - 2 * sum * shortest - 2 * two_others) / (2 * two_others); /* law of cosines */
    out->angle = atan2(area_2 / two_others, cosine) * 57.29577951308232;
    out->quality = 4 * area_2 * area_2 / (sum * product);
    out->aspect = longest * sum / (2 * 1.7320508075688772 * area_2);
    return true;
}

static void add_histogram(uint32_t *sums, const uint32_t *bins, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        sums[i] += bins[i];
}

static void measure_triangles(void *user, size_t first, size_t end)
{
    quality_check *s = user;
    const mesher_surface *surface = s->surface;
    const vec3 origin = surface->position[0];
    uint32_t angle[ANGLE_BINS] = {0}, quality[RATIO_BINS] = {0}, flatness[RATIO_BINS] = {0};
    quality_sums sums = {.min_angle = INFINITY};
    for (size_t t = first; t < end; ++t) {
        const uint32_t *c = surface->index + 3 * t;
        double volume_6, area_2;
        surface_volume_and_area(surface->position, c, origin, &volume_6, &area_2);
        sums.volume_6 += volume_6;
        sums.area_2 += area_2;
        triangle_shape f;
        if (!measure_triangle(surface->position, c, area_2, &f)) {
            sums.degenerate++;
            continue;
        }
        sums.angle += f.angle;
        sums.quality += f.quality;
        sums.aspect += f.aspect;
        sums.min_angle = fmin(sums.min_angle, f.angle);
        angle[bin_index(f.angle / ((double)ANGLE_BINS * ANGLE_BIN_DEGREES), ANGLE_BINS)]++;
        quality[bin_index(f.quality, RATIO_BINS)]++;
        flatness[bin_index(1 / f.aspect, RATIO_BINS)]++;
    }
    s->pieces[first / SURFACE_CHUNK] = sums;
    base_mutex_lock(s->mutex);
    add_histogram(s->angle, angle, ANGLE_BINS);
    add_histogram(s->quality, quality, RATIO_BINS);
    add_histogram(s->flatness, flatness, RATIO_BINS);
    base_mutex_unlock(s->mutex);
}

/* Returns the middle of the bin that holds the value at the fraction `share` of `total` values,
 * as a fraction of all bins. */
static double percentile(const uint32_t *bins, uint32_t count, double share, double total)
{
    const double wanted = share * total;
    double passed = 0;
    uint32_t i = 0;
    while (i + 1 < count && passed + bins[i] < wanted)
        passed += bins[i++];
    return (i + 0.5) / count;
}

static double fraction_below(const uint32_t *bins, double degrees, double total)
{
    double below = 0;
    for (uint32_t i = 0; i < (uint32_t)(degrees / ANGLE_BIN_DEGREES + 0.5); ++i)
        below += bins[i];
    return below / total;
}

static uint32_t count_repeats(const mesher_surface *surface)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < surface->triangle_count; ++t)
        count += surface_repeats_vertex(surface->index + 3 * (size_t)t);
    return count;
}

static void summarize_quality(const quality_check *s, size_t pieces, weir_mesh_info *info)
{
    quality_sums all = {.min_angle = INFINITY};
    for (size_t i = 0; i < pieces; ++i) {
        const quality_sums *p = &s->pieces[i];
        all.volume_6 += p->volume_6;
        all.area_2 += p->area_2;
        all.angle += p->angle;
        all.quality += p->quality;
        all.aspect += p->aspect;
        all.min_angle = fmin(all.min_angle, p->min_angle);
        all.degenerate += p->degenerate;
    }
    info->volume = all.volume_6 / 6;
    info->area = all.area_2 / 2;
    info->degenerate_triangles = all.degenerate;
    const double sound = (double)info->triangles - all.degenerate;
    if (sound <= 0) return;
    info->angle_min = all.min_angle;
    info->angle_mean = all.angle / sound;
    const double bins = ANGLE_BINS;
    info->angle_p1 = percentile(s->angle, ANGLE_BINS, 0.01, sound) * bins * ANGLE_BIN_DEGREES;
    info->angle_p5 = percentile(s->angle, ANGLE_BINS, 0.05, sound) * bins * ANGLE_BIN_DEGREES;
    info->angle_below_5 = fraction_below(s->angle, 5, sound);
    info->angle_below_10 = fraction_below(s->angle, 10, sound);
    info->angle_below_20 = fraction_below(s->angle, 20, sound);
    info->quality_mean = all.quality / sound;
    info->quality_p5 = percentile(s->quality, RATIO_BINS, 0.05, sound);
    info->aspect_mean = all.aspect / sound;
    info->aspect_p95 = 1 / percentile(s->flatness, RATIO_BINS, 0.05, sound);
}

static weir_result check_triangles(const weir_log *log, const mesher_surface *surface,
                                   weir_mesh_info *info)
{
    const size_t pieces = ((size_t)surface->triangle_count + SURFACE_CHUNK - 1) / SURFACE_CHUNK;
    quality_check *s = base_alloc(1, sizeof *s);
    if (s) {
        s->surface = surface;
        s->pieces = base_alloc(pieces, sizeof *s->pieces);
        s->mutex = base_mutex_create();
    }
    const bool ready = s && s->pieces && s->mutex;
    if (ready) {
        base_parallel_for(surface->triangle_count, SURFACE_CHUNK, measure_triangles, s);
        summarize_quality(s, pieces, info);
    }
    if (s) {
        base_mutex_destroy(&s->mutex);
        base_free(s->pieces);
    }
    base_free(s);
    if (!ready)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the properties of a mesh");
    return WEIR_OK;
}

/* ---- vertices and components ---------------------------------------------------------------- */

static uint64_t hash_position(vec3 p)
{
    const float at[3] = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f}; /* -0 becomes 0 */
    return base_hash64(at, sizeof at, 0);
}

static bool same_position(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static weir_result count_duplicate_vertices(const weir_log *log, const mesher_surface *surface,
                                            weir_mesh_info *info)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)surface->vertex_count)
        slots *= 2;
    uint32_t *table = base_alloc(slots, sizeof *table); /* vertex + 1; 0: free */
    if (!table)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to compare %u vertices",
                         surface->vertex_count);
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        const vec3 p = surface->position[v];
        size_t slot = hash_position(p) & (slots - 1);
        while (table[slot] && !same_position(surface->position[table[slot] - 1], p))
            slot = (slot + 1) & (slots - 1);
        if (table[slot])
            info->duplicate_vertices++;
        else
            table[slot] = v + 1;
    }
    base_free(table);
    return WEIR_OK;
}

static void measure_box(const mesher_surface *surface, weir_mesh_info *info)
{
    if (surface->vertex_count == 0) return;
    vec3 low = surface->position[0], high = low;
    for (uint32_t v = 1; v < surface->vertex_count; ++v) {
        low = vec3_min(low, surface->position[v]);
        high = vec3_max(high, surface->position[v]);
    }
    const float min[3] = {low.x, low.y, low.z}, max[3] = {high.x, high.y, high.z};
    for (int axis = 0; axis < 3; ++axis) {
        info->min[axis] = (double)min[axis];
        info->max[axis] = (double)max[axis];
    }
}

static weir_result check_components(const weir_log *log, const mesher_surface *surface,
                                    const surface_edge_uses *uses, weir_mesh_info *info)
{
    surface_components components = {0};
    weir_result result = WEIR_OK;
    WEIR_GOTO_IF_ERROR(surface_components_create(log, surface, uses, &components));
    WEIR_GOTO_IF_ERROR(surface_components_nest(log, surface, &components, NULL));
    info->components = components.count;
    for (uint32_t i = 0; i < components.count; ++i) {
        const surface_component *part = &components.items[i];
        info->voids += part->inside;
        info->inside_out += part->closed && part->volume < 0 && !part->inside;
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        info->unused_vertices += components.of_vertex[v] == SURFACE_NO_INDEX;
fail:
    surface_components_free(&components);
    return result;
}

weir_result mesher_surface_check(const weir_log *log, const mesher_surface *surface,
                                 weir_mesh_info *info)
{
    surface_edge_uses uses = {0};
    weir_mesh_info found = {.vertices = surface->vertex_count,
                            .triangles = surface->triangle_count};
    weir_result result = WEIR_OK;
    measure_box(surface, &found);
    WEIR_GOTO_IF_ERROR(surface_edge_uses_create(log, surface, &uses));
    edge_check edges = {.surface = surface, .uses = &uses, .info = &found};
    WEIR_GOTO_IF_ERROR(check_edges(log, &edges));
    WEIR_GOTO_IF_ERROR(check_components(log, surface, &uses, &found));
    WEIR_GOTO_IF_ERROR(check_triangles(log, surface, &found));
    WEIR_GOTO_IF_ERROR(count_duplicate_vertices(log, surface, &found));
    const int64_t used = (int64_t)surface->vertex_count - found.unused_vertices;
    const int64_t faces = (int64_t)surface->triangle_count - count_repeats(surface);
    found.euler = used - (int64_t)edges.edges + faces;
    found.closed = found.boundary_edges == 0;
    found.manifold = found.nonmanifold_edges == 0 && found.nonmanifold_vertices == 0;
    found.oriented = found.flipped_edges == 0 && found.inside_out == 0;
    *info = found;
fail:
    surface_edge_uses_free(&uses);
    return result;
}
