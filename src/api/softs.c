/* The side door to cloths and ropes. */
#include "api_internal.h"

#include "weir_soft.h"

weir_result weir_sim_softs(weir_sim *sim, weir_soft *softs, uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    return sim_softs(sim->world, softs, count);
}

weir_result weir_sim_soft_vertices(weir_sim *sim, float *positions, float *velocities,
                                   uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    uint32_t room = *count;
    *count = sim_soft_vertices(sim->world);
    if ((!positions && !velocities) || *count == 0) return WEIR_OK;
    if (room < *count)
        return base_fail(api_sim_log(sim), WEIR_ARGUMENT,
                         "weir_sim_soft_vertices: there is room for %u vertices, expected %u", room,
                         *count);
    if (positions) WEIR_NEED(sim_soft_positions(sim->world, NULL, NULL, (vec3 *)positions));
    return velocities ? sim_soft_velocities(sim->world, (vec3 *)velocities) : WEIR_OK;
}

/* ---- as triangles --------------------------------------------------------------------------- */

#define SIDES 12u /* of a rope's tube */
#define PI 3.14159265358979f

/* One cloth, rope or soft body, on its way into the triangles of all. */
typedef struct maker {
    const sim_world *world;
    uint32_t index;
    const weir_soft *soft;
    const vec3 *positions, *velocities; /* of its vertices */
    vec3 *to, *normals, *moves;         /* of its vertices in the triangles */
    uint32_t *indices;
} maker;

static uint32_t vertices_of(const sim_world *world, const weir_soft *softs, uint32_t i)
{
    sim_skin skin = sim_soft_skin(world, i);
    if (skin.triangle_count) return skin.vertex_count;
    return softs[i].rope ? SIDES * softs[i].vertex_count : softs[i].surface_count;
}

static uint32_t triangles_of(const sim_world *world, const weir_soft *softs, uint32_t i)
{
    sim_skin skin = sim_soft_skin(world, i);
    const weir_soft *s = &softs[i];
    if (skin.triangle_count) return skin.triangle_count;
    if (!s->rope) return s->triangle_count;
    uint32_t pieces = 0;
    for (uint32_t k = 0; k < s->segment_count; k++)
        pieces += k == 0 || s->segments[2 * k] != s->segments[2 * k - 1];
    return 2 * SIDES * s->segment_count + 2 * (SIDES - 2) * pieces;
}

static vec3 unit_or(vec3 v, vec3 otherwise)
{
    float length = vec3_length(v);
    return length > 0.0f ? vec3_scale(v, 1.0f / length) : otherwise;
}

void api_soft_normals(const api_soft_surface *s, vec3 *normals)
{
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *v = &s->indices[3 * (size_t)t];
        vec3 a = s->positions[v[0]];
        vec3 n = vec3_cross(vec3_sub(s->positions[v[1]], a), vec3_sub(s->positions[v[2]], a));
        for (int k = 0; k < 3; k++)
            normals[v[k]] = vec3_add(normals[v[k]], n);
    }
    for (uint32_t i = 0; i < s->vertex_count; i++)
        normals[i] = unit_or(normals[i], vec3_make(0.0f, 1.0f, 0.0f));
}

static void find_normals(const maker *m, uint32_t vertices, uint32_t triangles)
{
    const api_soft_surface surface = {m->to, m->indices, vertices, triangles};
    api_soft_normals(&surface, m->normals);
}

static void make_cloth(const maker *m)
{
    const weir_soft *s = m->soft;
    memcpy(m->to, m->positions, s->surface_count * sizeof *m->to);
    if (m->moves) memcpy(m->moves, m->velocities, s->surface_count * sizeof *m->moves);
    memcpy(m->indices, s->triangles, 3ull * s->triangle_count * sizeof *m->indices);
    find_normals(m, s->surface_count, s->triangle_count);
    if (!s->body) return;
    for (uint32_t i = 0; i < s->surface_count; i++)
        m->to[i] = vec3_add(m->to[i], vec3_scale(m->normals[i], s->radius_m));
    memset(m->normals, 0, s->surface_count * sizeof *m->normals);
    find_normals(m, s->surface_count, s->triangle_count);
}

static weir_result make_skin(const maker *m)
{
    sim_skin skin = sim_soft_skin(m->world, m->index);
    WEIR_NEED(sim_soft_dress(m->world, m->index, m->positions, m->to));
    if (m->moves) sim_soft_blend(m->world, m->index, m->velocities, m->moves);
    memcpy(m->indices, skin.triangles, 3ull * skin.triangle_count * sizeof *m->indices);
    find_normals(m, skin.vertex_count, skin.triangle_count);
    return WEIR_OK;
}

/* Along the rope at vertex i of the piece from `first` to `last`. */
static vec3 direction_at(const maker *m, uint32_t i, uint32_t first, uint32_t last)
{
    uint32_t from = i > first ? i - 1 : first, to = i < last ? i + 1 : last;
    return unit_or(vec3_sub(m->positions[to], m->positions[from]), vec3_make(1.0f, 0.0f, 0.0f));
}

/* A direction across `along`, as near to `before` as can be, so that the tube does not twist. */
static vec3 across(vec3 along, vec3 before)
{
    vec3 rest = vec3_sub(before, vec3_scale(along, vec3_dot(before, along)));
    if (vec3_dot(rest, rest) < 1e-6f)
        rest = vec3_cross(along, fabsf(along.y) < 0.9f ? vec3_make(0, 1, 0) : vec3_make(1, 0, 0));
    return unit_or(rest, vec3_make(0.0f, 0.0f, 1.0f));
}

static void put_ring(const maker *m, uint32_t i, vec3 along, vec3 u)
{
    vec3 w = vec3_cross(along, u);
    for (uint32_t k = 0; k < SIDES; k++) {
        float angle = 2.0f * PI * (float)k / (float)SIDES;
        vec3 n = vec3_add(vec3_scale(u, base_cos(angle)), vec3_scale(w, base_sin(angle)));
        uint32_t at = SIDES * i + k;
        m->normals[at] = n;
        m->to[at] = vec3_add(m->positions[i], vec3_scale(n, m->soft->radius_m));
        if (m->moves) m->moves[at] = m->velocities[i];
    }
}

static uint32_t *put_triangle(uint32_t *to, uint32_t i, uint32_t j, uint32_t k)
{
    to[0] = i;
    to[1] = j;
    to[2] = k;
    return to + 3;
}

/* The tube about the piece from vertex `first` to `last`; of a lone vertex nothing is left to see.
 */
static uint32_t *put_tube(const maker *m, uint32_t first, uint32_t last, uint32_t *to)
{
    vec3 u = {0};
    for (uint32_t i = first; i <= last; i++) {
        vec3 along = direction_at(m, i, first, last);
        u = across(along, u);
        put_ring(m, i, along, u);
    }
    for (uint32_t i = first; i < last; i++)
        for (uint32_t k = 0; k < SIDES; k++) {
            uint32_t a = SIDES * i + k, b = SIDES * i + (k + 1) % SIDES;
            to = put_triangle(to, a, b, a + SIDES);
            to = put_triangle(to, b, b + SIDES, a + SIDES);
        }
    for (uint32_t k = 1; first < last && k + 1 < SIDES; k++) {
        to = put_triangle(to, SIDES * first, SIDES * first + k + 1, SIDES * first + k);
        to = put_triangle(to, SIDES * last, SIDES * last + k, SIDES * last + k + 1);
    }
    return to;
}

/* A tube about each piece that tears have left. */
static void make_rope(const maker *m)
{
    const weir_soft *s = m->soft;
    uint32_t *to = m->indices, segment = 0;
    for (uint32_t first = 0, last = 0; first < s->vertex_count; first = ++last) {
        while (segment < s->segment_count && s->segments[2 * segment] == last) {
            last++;
            segment++;
        }
        to = put_tube(m, first, last, to);
    }
}

static bool make_arrays(const sim_world *world, const weir_soft *softs, bool moves, api_softs *out)
{
    uint32_t count = scene_soft_count(sim_scene(world));
    out->first_vertex = base_alloc(count + 1ull, sizeof *out->first_vertex);
    out->first_triangle = base_alloc(count + 1ull, sizeof *out->first_triangle);
    if (!out->first_vertex || !out->first_triangle) return false;
    for (uint32_t i = 0; i < count; i++) {
        out->first_vertex[i + 1] = out->first_vertex[i] + vertices_of(world, softs, i);
        out->first_triangle[i + 1] = out->first_triangle[i] + triangles_of(world, softs, i);
    }
    uint32_t vertices = out->first_vertex[count];
    out->positions = base_alloc(vertices, sizeof *out->positions);
    out->normals = base_alloc(vertices, sizeof *out->normals);
    if (moves) out->velocities = base_alloc(vertices, sizeof *out->velocities);
    out->indices = base_alloc(3ull * out->first_triangle[count], sizeof *out->indices);
    out->count = count;
    return out->positions && out->normals && out->indices && (!moves || out->velocities);
}

static weir_result make_one(const maker *m)
{
    if (sim_soft_skin(m->world, m->index).triangle_count) return make_skin(m);
    if (m->soft->rope)
        make_rope(m);
    else
        make_cloth(m);
    return WEIR_OK;
}

static weir_result make_all(const sim_world *world, const weir_soft *softs, const vec3 *positions,
                            const vec3 *velocities, api_softs *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t first = out->first_vertex[i];
        const maker m = {.world = world,
                         .index = i,
                         .soft = &softs[i],
                         .positions = positions + softs[i].first_vertex,
                         .velocities = velocities ? velocities + softs[i].first_vertex : NULL,
                         .to = out->positions + first,
                         .normals = out->normals + first,
                         .moves = velocities ? out->velocities + first : NULL,
                         .indices = out->indices + 3ull * out->first_triangle[i]};
        WEIR_NEED(make_one(&m));
    }
    return WEIR_OK;
}

weir_result api_softs_take(sim_world *world, const sim_slot *slot, api_softs *out)
{
    weir_result result = WEIR_MEMORY;
    uint32_t count = scene_soft_count(sim_scene(world)), vertices = sim_soft_vertices(world);
    if (count == 0) return WEIR_OK;
    weir_soft *softs = base_alloc(count, sizeof *softs);
    vec3 *positions = base_alloc(vertices, sizeof *positions);
    vec3 *velocities = slot ? NULL : base_alloc(vertices, sizeof *velocities);
    if (!softs || !positions || (!slot && !velocities)) goto fail;
    WEIR_TRY(sim_softs(world, softs, &count));
    WEIR_TRY(sim_soft_positions(world, slot, softs, positions));
    if (velocities) WEIR_TRY(sim_soft_velocities(world, velocities));
    result = make_arrays(world, softs, velocities != NULL, out) ? WEIR_OK : WEIR_MEMORY;
    if (result == WEIR_OK) result = make_all(world, softs, positions, velocities, out);
fail:
    base_free(softs);
    base_free(positions);
    base_free(velocities);
    if (result != WEIR_OK) api_softs_free(out);
    return result;
}

static bool copy(const void *from, size_t count, size_t size, void **to)
{
    if (!from) return true;
    *to = base_alloc(count, size);
    if (*to) memcpy(*to, from, count * size);
    return *to != NULL;
}

weir_result api_softs_copy(const weir_log *log, const api_softs *from, api_softs *to)
{
    uint32_t n = from->count;
    *to = (api_softs){0};
    if (n == 0) return WEIR_OK;
    size_t vertices = from->first_vertex[n], corners = 3ull * from->first_triangle[n];
    void *arrays[6] = {0};
    bool ok = copy(from->first_vertex, n + 1ull, sizeof(uint32_t), &arrays[0]) &&
              copy(from->first_triangle, n + 1ull, sizeof(uint32_t), &arrays[1]) &&
              copy(from->positions, vertices, sizeof(vec3), &arrays[2]) &&
              copy(from->normals, vertices, sizeof(vec3), &arrays[3]) &&
              copy(from->velocities, vertices, sizeof(vec3), &arrays[4]) &&
              copy(from->indices, corners, sizeof(uint32_t), &arrays[5]);
    *to = (api_softs){n, arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5]};
    if (ok) return WEIR_OK;
    api_softs_free(to);
    return base_fail(log, WEIR_MEMORY, "no memory for cloths and ropes");
}

void api_softs_free(api_softs *softs)
{
    void *const arrays[] = {softs->first_vertex, softs->first_triangle, softs->positions,
                            softs->normals,      softs->velocities,     softs->indices};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    *softs = (api_softs){0};
}
