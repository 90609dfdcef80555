/* Smooths vertices by their neighbours. A sweep reads only the positions of the previous sweep,
 * so the result depends neither on the order of the vertices nor on the number of threads. */
#include "surface_internal.h"

/* Taubin's factors: strength lambda, pass band k of 0.1 = 1/lambda + 1/mu. */
#define PASS_BAND 0.1f
enum { VOLUME_ITERATIONS = 4, DROP_TRIANGLES = 256 };
/* Maximum distance that an iteration inflates or deflates a component, over its mean size:
 * volume / area. */
#define MAX_OFFSET_RATIO 0.5
/* A drop that smoothing shrinks by more than this factor is flat rather than small. */
#define MAX_DROP_GROWTH 2.0

/* ---- neighbours ----------------------------------------------------------------------------- */

static uint32_t collect_ring(const halfedge_mesh *mesh, uint32_t v, uint32_t *items)
{
    uint32_t count = 0;
    if (mesh->locked[v]) return 0;
    for (uint32_t h = mesh->out[v]; h != SURFACE_NO_INDEX; h = halfedge_next_around(mesh, v, h))
        items[count++] = mesh->corner[surface_next_corner(h)];
    return count;
}

weir_result surface_rings_create(const weir_log *log, const halfedge_mesh *mesh,
                                 surface_rings *rings)
{
    const mesher_surface *surface = mesh->surface;
    *rings = (surface_rings){0};
    rings->first = base_alloc((size_t)surface->vertex_count + 1, sizeof *rings->first);
    rings->items = base_alloc(surface->triangle_count, 3 * sizeof *rings->items);
    if (!rings->first || !rings->items) {
        surface_rings_free(rings);
        return base_fail(log, WEIR_ERROR_MEMORY,
                         "not enough memory for the neighbours of %u vertices",
                         surface->vertex_count);
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        rings->first[v + 1] =
            rings->first[v] + collect_ring(mesh, v, rings->items + rings->first[v]);
    return WEIR_OK;
}

void surface_rings_free(surface_rings *rings)
{
    base_free(rings->first);
    base_free(rings->items);
    *rings = (surface_rings){0};
}

/* ---- sweeps --------------------------------------------------------------------------------- */

typedef struct smoothing {
    const mesher_surface *surface;
    surface_rings rings;
    float *weight; /* [vertex_count]; NULL: 1 */
    vec3 *from, *to;
    float strength;
} smoothing;

static float weight_of(const smoothing *s, size_t v)
{
    return s->weight ? s->weight[v] : 1;
}

static void move_vertices(void *user, size_t first, size_t end)
{
    const smoothing *s = user;
    for (size_t v = first; v < end; ++v) {
        const uint32_t start = s->rings.first[v], stop = s->rings.first[v + 1];
        s->to[v] = s->from[v];
        if (start == stop) continue;
        vec3 sum = {0, 0, 0};
        for (uint32_t i = start; i < stop; ++i)
            sum = vec3_add(sum, s->from[s->rings.items[i]]);
        const vec3 centroid_sum = vec3_scale(sum, 1 / (float)(stop - start));
        s->to[v] = vec3_add(s->from[v], vec3_scale(vec3_sub(centroid_sum, s->from[v]),
                                                   s->strength * weight_of(s, v)));
    }
}

static void smooth_once(smoothing *s, float strength)
{
    s->strength = strength;
    base_parallel_for(s->surface->vertex_count, SURFACE_CHUNK, move_vertices, s);
    vec3 *swap = s->from;
    s->from = s->to;
    s->to = swap;
}

/* ---- weights -------------------------------------------------------------------------------- */

/* Computes the weights by a smooth step of degree five, so that neither the surface nor its
 * slope shows where they begin. */
static weir_result make_weights(const weir_log *log, mesher_surface *surface,
                                const mesher_smooth_def *def, float **weights)
{
    if (!def->weight) return WEIR_OK;
    const mesher_vertex_channel *channel = surface_find_channel(surface, def->weight);
    if (!channel)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "the mesh has no scalar channel \"%s\" to weight the smoothing",
                         def->weight);
    float *weight = *weights = base_alloc(surface->vertex_count, sizeof *weight);
    if (!weight)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for smoothing weights");
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        const float x = fminf(fmaxf(channel->values[v] / def->weight_full, 0), 1);
        weight[v] = x * x * x * (x * (6 * x - 15) + 10);
    }
    return WEIR_OK;
}

/* ---- volume --------------------------------------------------------------------------------- */

typedef struct centroid_sum {
    float x, y, z, count; /* sums over the vertices */
} centroid_sum;

typedef struct volume_keeper {
    surface_components parts; /* with the volumes to restore */
    /* [vertex_count] sum of the cross products around: six times its part of the area */
    vec3 *area;
    double *volume;             /* [parts.count] current volume */
    vec3 *start;                /* [vertex_count] positions before smoothing */
    centroid_sum *centroid_sum; /* [parts.count] for drops */
    /* [parts.count] volume gained per distance that vertices move out by their weights */
    double *volume_gain;
} volume_keeper;

static void measure_volumes(const smoothing *s, volume_keeper *k)
{
    const mesher_surface *surface = s->surface;
    memset(k->area, 0, surface->vertex_count * sizeof *k->area);
    memset(k->volume, 0, k->parts.count * sizeof *k->volume);
    memset(k->volume_gain, 0, k->parts.count * sizeof *k->volume_gain);
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *c = surface->index + 3 * (size_t)t;
        double volume_6, area_2;
        surface_volume_and_area(s->from, c, s->from[0], &volume_6, &area_2);
        k->volume[k->parts.of_vertex[c[0]]] += volume_6 / 6;
        const vec3 cross = surface_area_vector(s->from[c[0]], s->from[c[1]], s->from[c[2]]);
        for (int i = 0; i < 3; ++i)
            k->area[c[i]] = vec3_add(k->area[c[i]], cross);
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        if (k->parts.of_vertex[v] != SURFACE_NO_INDEX && s->rings.first[v] < s->rings.first[v + 1])
            k->volume_gain[k->parts.of_vertex[v]] +=
                (double)(weight_of(s, v) * vec3_length(k->area[v])) / 6;
}

static double offset_for_volume(const volume_keeper *k, uint32_t part)
{
    const surface_component *p = &k->parts.items[part];
    if (!p->closed || k->volume_gain[part] <= 0 || p->area <= 0) return 0;
    const double limit = MAX_OFFSET_RATIO * fabs(p->volume) / p->area;
    return fmin(fmax((p->volume - k->volume[part]) / k->volume_gain[part], -limit), limit);
}

static bool is_drop(const surface_component *part)
{
    return part->closed && part->triangles <= DROP_TRIANGLES;
}

static void find_centroids(const smoothing *s, volume_keeper *k)
{
    memset(k->centroid_sum, 0, k->parts.count * sizeof *k->centroid_sum);
    for (uint32_t v = 0; v < s->surface->vertex_count; ++v) {
        const uint32_t part = k->parts.of_vertex[v];
        if (part == SURFACE_NO_INDEX || !is_drop(&k->parts.items[part])) continue;
        k->centroid_sum[part].x += s->from[v].x; /* a drop has few enough vertices for floats */
        k->centroid_sum[part].y += s->from[v].y;
        k->centroid_sum[part].z += s->from[v].z;
        k->centroid_sum[part].count++;
    }
}

/* Restores the volume of drops, which shrink fast, by scaling them about their centre. A drop
 * that was flattened gets its original shape back. */
static void restore_drop_volumes(smoothing *s, volume_keeper *k)
{
    find_centroids(s, k);
    for (uint32_t v = 0; v < s->surface->vertex_count; ++v) {
        const uint32_t part = k->parts.of_vertex[v];
        if (part == SURFACE_NO_INDEX || !is_drop(&k->parts.items[part])) continue;
        const double ratio = k->parts.items[part].volume / k->volume[part];
        if (!(ratio > 0 && ratio < MAX_DROP_GROWTH)) {
            s->from[v] = k->start[v];
            continue;
        }
        const centroid_sum *m = &k->centroid_sum[part];
        const vec3 at = vec3_scale(vec3_make(m->x, m->y, m->z), 1 / m->count);
        const float scale = (float)cbrt(ratio);
        s->from[v] = vec3_add(at, vec3_scale(vec3_sub(s->from[v], at), scale));
    }
}

/* Moves the vertices along their normals by their weights until each component has its volume
 * again. */
static void restore_component_volumes(smoothing *s, volume_keeper *k)
{
    measure_volumes(s, k);
    restore_drop_volumes(s, k);
    for (int turn = 0; turn < VOLUME_ITERATIONS; ++turn) {
        measure_volumes(s, k);
        for (uint32_t i = 0; i < k->parts.count; ++i)
            k->volume_gain[i] = is_drop(&k->parts.items[i]) ? 0 : offset_for_volume(k, i);
        for (uint32_t v = 0; v < s->surface->vertex_count; ++v) {
            const float length = vec3_length(k->area[v]);
            if (length <= 0 || s->rings.first[v] == s->rings.first[v + 1]) continue;
            const float share =
                (float)k->volume_gain[k->parts.of_vertex[v]] * weight_of(s, v) / length;
            s->from[v] = vec3_add(s->from[v], vec3_scale(k->area[v], share));
        }
    }
}

static weir_result create_volume_keeper(const weir_log *log, const halfedge_mesh *mesh,
                                        volume_keeper *k)
{
    const mesher_surface *surface = mesh->surface;
    surface_edge_uses uses = {0};
    const bool closed = halfedge_mesh_is_closed(mesh);
    weir_result result = WEIR_OK;
    if (!closed) WEIR_GOTO_IF_ERROR(surface_edge_uses_create(log, surface, &uses));
    WEIR_GOTO_IF_ERROR(surface_components_create(log, surface, closed ? NULL : &uses, &k->parts));
    k->area = base_alloc(surface->vertex_count, sizeof *k->area);
    k->volume = base_alloc(k->parts.count, sizeof *k->volume);
    k->volume_gain = base_alloc(k->parts.count, sizeof *k->volume_gain);
    k->centroid_sum = base_alloc(k->parts.count, sizeof *k->centroid_sum);
    k->start = base_alloc(surface->vertex_count, sizeof *k->start);
    if (!k->area || !k->volume || !k->volume_gain || !k->centroid_sum || !k->start)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY,
                                     "not enough memory for the volumes of a mesh's parts"));
    memcpy(k->start, surface->position, surface->vertex_count * sizeof *k->start);
fail:
    surface_edge_uses_free(&uses);
    return result;
}

static void free_volume_keeper(volume_keeper *k)
{
    surface_components_free(&k->parts);
    base_free(k->area);
    base_free(k->volume);
    base_free(k->volume_gain);
    base_free(k->centroid_sum);
    base_free(k->start);
}

/* ---- public functions ----------------------------------------------------------------------- */

static void smooth_positions(smoothing *s, const mesher_smooth_def *def)
{
    for (uint32_t i = 0; i < def->iterations; ++i) {
        smooth_once(s, def->strength);
        if (def->kind == MESHER_SMOOTH_TAUBIN && def->strength > 0)
            smooth_once(s, 1 / (PASS_BAND - 1 / def->strength));
    }
}

weir_result surface_smooth(const weir_log *log, const halfedge_mesh *mesh,
                           const mesher_smooth_def *def)
{
    mesher_surface *surface = mesh->surface;
    smoothing s = {.surface = surface, .from = surface->position};
    volume_keeper k = {0};
    weir_result result = WEIR_OK;
    if (surface->triangle_count == 0) return WEIR_OK;
    WEIR_GOTO_IF_ERROR(make_weights(log, surface, def, &s.weight));
    WEIR_GOTO_IF_ERROR(surface_rings_create(log, mesh, &s.rings));
    WEIR_GOTO_IF_ERROR(create_volume_keeper(log, mesh, &k));
    s.to = base_alloc(surface->vertex_count, sizeof *s.to);
    if (!s.to)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY,
                                     "not enough memory to smooth %u vertices",
                                     surface->vertex_count));
    smooth_positions(&s, def);
    restore_component_volumes(&s, &k);
    surface->position = s.from;
    base_free(s.to);
fail:
    free_volume_keeper(&k);
    surface_rings_free(&s.rings);
    base_free(s.weight);
    return result;
}

weir_result mesher_surface_smooth(const weir_log *log, mesher_surface *surface,
                                  const mesher_smooth_def *def)
{
    halfedge_mesh mesh;
    if (def->iterations == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(halfedge_mesh_create(log, surface, &mesh));
    const weir_result result = surface_smooth(log, &mesh, def);
    halfedge_mesh_free(&mesh);
    return result;
}
