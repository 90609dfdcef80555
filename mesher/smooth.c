/* Smoothing of vertices by their neighbours. A sweep reads only the positions of the sweep before,
 * so the result depends neither on the order of the vertices nor on the number of threads. */
#include "surface_internal.h"

/* Taubin's factors: strength lambda, pass band k of 0.1 = 1/lambda + 1/mu. */
#define PASS_BAND 0.1f
enum { VOLUME_TURNS = 4, DROP_TRIANGLES = 256 };
/* Farthest that a turn blows a part up or down, over its mean size: volume / area. */
#define BLOW_LIMIT 0.5
/* A drop that smoothing shrinks more than this is flat rather than small. */
#define DROP_GROWTH 2.0

/* ---- neighbours ----------------------------------------------------------------------------- */

static uint32_t gather_ring(const surface_mesh *mesh, uint32_t v, uint32_t *items)
{
    uint32_t count = 0;
    if (mesh->locked[v]) return 0;
    for (uint32_t h = mesh->out[v]; h != SURFACE_NONE; h = surface_mesh_around(mesh, v, h))
        items[count++] = mesh->corner[surface_next(h)];
    return count;
}

weir_result surface_rings_make(const weir_log *log, mesher_surface *surface, surface_rings *rings)
{
    surface_mesh mesh = {0};
    *rings = (surface_rings){0};
    weir_result result = WEIR_OK;
    WEIR_TRY(surface_mesh_make(log, surface, &mesh));
    rings->first = base_alloc((size_t)surface->vertex_count + 1, sizeof *rings->first);
    rings->items = base_alloc(surface->triangle_count, 3 * sizeof *rings->items);
    if (!rings->first || !rings->items)
        WEIR_TRY(base_fail(log, WEIR_MEMORY, "no memory for the neighbours of %u vertices",
                           surface->vertex_count));
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        rings->first[v + 1] =
            rings->first[v] + gather_ring(&mesh, v, rings->items + rings->first[v]);
fail:
    surface_mesh_free(&mesh);
    if (result != WEIR_OK) surface_rings_free(rings);
    return result;
}

void surface_rings_free(surface_rings *rings)
{
    base_free(rings->first);
    base_free(rings->items);
    *rings = (surface_rings){0};
}

/* ---- sweeps --------------------------------------------------------------------------------- */

typedef struct sweep {
    const mesher_surface *surface;
    surface_rings rings;
    float *weight; /* [vertex_count]; NULL: 1 */
    vec3 *from, *to;
    float strength;
} sweep;

static float weight_of(const sweep *s, size_t v)
{
    return s->weight ? s->weight[v] : 1;
}

static void move_vertices(void *user, size_t first, size_t end)
{
    const sweep *s = user;
    for (size_t v = first; v < end; ++v) {
        const uint32_t start = s->rings.first[v], stop = s->rings.first[v + 1];
        s->to[v] = s->from[v];
        if (start == stop) continue;
        vec3 sum = {0, 0, 0};
        for (uint32_t i = start; i < stop; ++i)
            sum = vec3_add(sum, s->from[s->rings.items[i]]);
        const vec3 middle = vec3_scale(sum, 1 / (float)(stop - start));
        s->to[v] = vec3_add(
            s->from[v], vec3_scale(vec3_sub(middle, s->from[v]), s->strength * weight_of(s, v)));
    }
}

static void run_sweep(sweep *s, float strength)
{
    s->strength = strength;
    base_parallel(s->surface->vertex_count, SURFACE_GRAIN, move_vertices, s);
    vec3 *swap = s->from;
    s->from = s->to;
    s->to = swap;
}

/* ---- weights -------------------------------------------------------------------------------- */

/* A smooth step of degree five, so that neither the surface nor its slope shows where it starts. */
static weir_result make_weights(const weir_log *log, mesher_surface *surface,
                                const mesher_smooth_def *def, float **weights)
{
    if (!def->weight) return WEIR_OK;
    const mesher_channel *channel = surface_find_channel(surface, def->weight);
    if (!channel)
        return base_fail(log, WEIR_ARGUMENT,
                         "the mesh has no scalar channel \"%s\" to weigh its smoothing by",
                         def->weight);
    float *weight = *weights = base_alloc(surface->vertex_count, sizeof *weight);
    if (!weight) return base_fail(log, WEIR_MEMORY, "no memory for the weights of a smoothing");
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        const float x = fminf(fmaxf(channel->values[v] / def->weight_full, 0), 1);
        weight[v] = x * x * x * (x * (6 * x - 15) + 10);
    }
    return WEIR_OK;
}

/* ---- volume --------------------------------------------------------------------------------- */

typedef struct middle {
    float x, y, z, count; /* sums over the vertices */
} middle;

typedef struct keeper {
    surface_parts parts; /* with the volumes to keep */
    vec3 *area;          /* [vertex_count] a third of the crosses around: six times its share */
    double *volume;      /* [parts] now */
    vec3 *start;         /* [vertex_count] positions before */
    middle *middle;      /* [parts] of drops */
    double *effect;      /* [parts] volume gained when vertices move out by their weights */
} keeper;

static void measure(const sweep *s, keeper *k)
{
    const mesher_surface *surface = s->surface;
    memset(k->area, 0, surface->vertex_count * sizeof *k->area);
    memset(k->volume, 0, k->parts.count * sizeof *k->volume);
    memset(k->effect, 0, k->parts.count * sizeof *k->effect);
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *c = surface->index + 3 * (size_t)t;
        double volume_6, area_2;
        surface_measure(s->from, c, s->from[0], &volume_6, &area_2);
        k->volume[k->parts.of_vertex[c[0]]] += volume_6 / 6;
        const vec3 cross = surface_cross(s->from[c[0]], s->from[c[1]], s->from[c[2]]);
        for (int i = 0; i < 3; ++i)
            k->area[c[i]] = vec3_add(k->area[c[i]], cross);
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        if (k->parts.of_vertex[v] != SURFACE_NONE && s->rings.first[v] < s->rings.first[v + 1])
            k->effect[k->parts.of_vertex[v]] +=
                (double)(weight_of(s, v) * vec3_length(k->area[v])) / 6;
}

static double blow_of(const keeper *k, uint32_t part)
{
    const surface_part *p = &k->parts.items[part];
    if (!p->closed || k->effect[part] <= 0 || p->area <= 0) return 0;
    const double limit = BLOW_LIMIT * fabs(p->volume) / p->area;
    return fmin(fmax((p->volume - k->volume[part]) / k->effect[part], -limit), limit);
}

static bool is_drop(const surface_part *part)
{
    return part->closed && part->triangles <= DROP_TRIANGLES;
}

static void find_middles(const sweep *s, keeper *k)
{
    memset(k->middle, 0, k->parts.count * sizeof *k->middle);
    for (uint32_t v = 0; v < s->surface->vertex_count; ++v) {
        const uint32_t part = k->parts.of_vertex[v];
        if (part == SURFACE_NONE || !is_drop(&k->parts.items[part])) continue;
        k->middle[part].x += s->from[v].x; /* a drop's vertices: few enough for floats */
        k->middle[part].y += s->from[v].y;
        k->middle[part].z += s->from[v].z;
        k->middle[part].count++;
    }
}

/* A drop shrinks fast: it grows again about its middle. One that was flattened gets back the shape
 * that it had. */
static void restore_drops(sweep *s, keeper *k)
{
    find_middles(s, k);
    for (uint32_t v = 0; v < s->surface->vertex_count; ++v) {
        const uint32_t part = k->parts.of_vertex[v];
        if (part == SURFACE_NONE || !is_drop(&k->parts.items[part])) continue;
        const double ratio = k->parts.items[part].volume / k->volume[part];
        if (!(ratio > 0 && ratio < DROP_GROWTH)) {
            s->from[v] = k->start[v];
            continue;
        }
        const middle *m = &k->middle[part];
        const vec3 at = vec3_scale(vec3_make(m->x, m->y, m->z), 1 / m->count);
        const float scale = (float)cbrt(ratio);
        s->from[v] = vec3_add(at, vec3_scale(vec3_sub(s->from[v], at), scale));
    }
}

/* Moves the vertices along their normals by their weights until each part has its volume again. */
static void restore_volumes(sweep *s, keeper *k)
{
    measure(s, k);
    restore_drops(s, k);
    for (int turn = 0; turn < VOLUME_TURNS; ++turn) {
        measure(s, k);
        for (uint32_t i = 0; i < k->parts.count; ++i)
            k->effect[i] = is_drop(&k->parts.items[i]) ? 0 : blow_of(k, i);
        for (uint32_t v = 0; v < s->surface->vertex_count; ++v) {
            const float length = vec3_length(k->area[v]);
            if (length <= 0 || s->rings.first[v] == s->rings.first[v + 1]) continue;
            const float share = (float)k->effect[k->parts.of_vertex[v]] * weight_of(s, v) / length;
            s->from[v] = vec3_add(s->from[v], vec3_scale(k->area[v], share));
        }
    }
}

static weir_result make_keeper(const weir_log *log, const mesher_surface *surface, keeper *k)
{
    surface_uses uses = {0};
    weir_result result = WEIR_OK;
    WEIR_TRY(surface_uses_make(log, surface, &uses));
    WEIR_TRY(surface_parts_make(log, surface, &uses, &k->parts));
    k->area = base_alloc(surface->vertex_count, sizeof *k->area);
    k->volume = base_alloc(k->parts.count, sizeof *k->volume);
    k->effect = base_alloc(k->parts.count, sizeof *k->effect);
    k->middle = base_alloc(k->parts.count, sizeof *k->middle);
    k->start = base_alloc(surface->vertex_count, sizeof *k->start);
    if (!k->area || !k->volume || !k->effect || !k->middle || !k->start)
        WEIR_TRY(base_fail(log, WEIR_MEMORY, "no memory for the volumes of a mesh's parts"));
    memcpy(k->start, surface->position, surface->vertex_count * sizeof *k->start);
fail:
    surface_uses_free(&uses);
    return result;
}

static void free_keeper(keeper *k)
{
    surface_parts_free(&k->parts);
    base_free(k->area);
    base_free(k->volume);
    base_free(k->effect);
    base_free(k->middle);
    base_free(k->start);
}

/* ---- the door ------------------------------------------------------------------------------- */

static void smooth(sweep *s, const mesher_smooth_def *def)
{
    for (uint32_t i = 0; i < def->iterations; ++i) {
        run_sweep(s, def->strength);
        if (def->kind == MESHER_SMOOTH_TAUBIN && def->strength > 0)
            run_sweep(s, 1 / (PASS_BAND - 1 / def->strength));
    }
}

weir_result mesher_surface_smooth(const weir_log *log, mesher_surface *surface,
                                  const mesher_smooth_def *def)
{
    sweep s = {.surface = surface, .from = surface->position};
    keeper k = {0};
    weir_result result = WEIR_OK;
    if (def->iterations == 0 || surface->triangle_count == 0) return WEIR_OK;
    WEIR_TRY(make_weights(log, surface, def, &s.weight));
    WEIR_TRY(surface_rings_make(log, surface, &s.rings));
    WEIR_TRY(make_keeper(log, surface, &k));
    s.to = base_alloc(surface->vertex_count, sizeof *s.to);
    if (!s.to)
        WEIR_TRY(
            base_fail(log, WEIR_MEMORY, "no memory to smooth %u vertices", surface->vertex_count));
    smooth(&s, def);
    restore_volumes(&s, &k);
    surface->position = s.from;
    base_free(s.to);
fail:
    free_keeper(&k);
    surface_rings_free(&s.rings);
    base_free(s.weight);
    return result;
}
