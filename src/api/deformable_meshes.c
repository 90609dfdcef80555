/* Public API of deformables (weir/deformables.h), and their triangle meshes. */
#include "api_internal.h"

#include "weir/deformables.h"

weir_result weir_sim_get_deformables(weir_sim *sim, weir_deformable *deformables, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    return sim_deformables(sim->world, deformables, count);
}

weir_result weir_sim_get_deformable_vertices(weir_sim *sim, float *positions, float *velocities,
                                             uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    uint32_t capacity = *count;
    *count = sim_deformable_vertex_count(sim->world);
    if ((!positions && !velocities) || *count == 0) return WEIR_OK;
    if (capacity < *count)
        return api_argument_error(api_sim_log(sim), "the arrays hold %u vertices, expected %u",
                                  capacity, *count);
    if (positions)
        WEIR_RETURN_IF_ERROR(sim_deformable_positions(sim->world, NULL, NULL, (vec3 *)positions));
    return velocities ? sim_deformable_velocities(sim->world, (vec3 *)velocities) : WEIR_OK;
}

/* ---- triangle meshes ------------------------------------------------------------------------ */

#define TUBE_SIDES 12u /* sides of a rope's tube */
#define PI 3.14159265358979f

/* Builds the mesh of one deformable within the arrays of all. */
typedef struct mesh_builder {
    const sim_world *world;
    uint32_t index;
    const weir_deformable *soft;
    const vec3 *positions, *velocities;     /* vertices of the deformable */
    vec3 *to, *normals, *vertex_velocities; /* vertices of the mesh */
    uint32_t *indices;
} mesh_builder;

static uint32_t vertex_count_of(const sim_world *world, const weir_deformable *deformables,
                                uint32_t i)
{
    sim_skinned_mesh skin = sim_deformable_skin(world, i);
    if (skin.triangle_count) return skin.vertex_count;
    return deformables[i].is_rope ? TUBE_SIDES * deformables[i].vertex_count
                                  : deformables[i].surface_vertex_count;
}

static uint32_t triangle_count_of(const sim_world *world, const weir_deformable *deformables,
                                  uint32_t i)
{
    sim_skinned_mesh skin = sim_deformable_skin(world, i);
    const weir_deformable *s = &deformables[i];
    if (skin.triangle_count) return skin.triangle_count;
    if (!s->is_rope) return s->triangle_count;
    uint32_t pieces = 0;
    for (uint32_t k = 0; k < s->segment_count; k++)
        pieces += k == 0 || s->segments[2 * k] != s->segments[2 * k - 1];
    return 2 * TUBE_SIDES * s->segment_count + 2 * (TUBE_SIDES - 2) * pieces;
}

static vec3 unit_or(vec3 v, vec3 otherwise)
{
    float length = vec3_length(v);
    return length > 0.0f ? vec3_scale(v, 1.0f / length) : otherwise;
}

void api_deformable_normals(const api_deformable_surface *s, vec3 *normals)
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

static void find_normals(const mesh_builder *m, uint32_t vertices, uint32_t triangles)
{
    const api_deformable_surface surface = {m->to, m->indices, vertices, triangles};
    api_deformable_normals(&surface, m->normals);
}

static void build_cloth(const mesh_builder *m)
{
    const weir_deformable *s = m->soft;
    memcpy(m->to, m->positions, s->surface_vertex_count * sizeof *m->to);
    if (m->vertex_velocities)
        memcpy(m->vertex_velocities, m->velocities,
               s->surface_vertex_count * sizeof *m->vertex_velocities);
    memcpy(m->indices, s->triangles, 3ull * s->triangle_count * sizeof *m->indices);
    find_normals(m, s->surface_vertex_count, s->triangle_count);
    if (!s->is_soft_body) return;
    for (uint32_t i = 0; i < s->surface_vertex_count; i++)
        m->to[i] = vec3_add(m->to[i], vec3_scale(m->normals[i], s->radius_m));
    memset(m->normals, 0, s->surface_vertex_count * sizeof *m->normals);
    find_normals(m, s->surface_vertex_count, s->triangle_count);
}

static weir_result build_soft_body(const mesh_builder *m)
{
    sim_skinned_mesh skin = sim_deformable_skin(m->world, m->index);
    WEIR_RETURN_IF_ERROR(sim_skin_positions(m->world, m->index, m->positions, m->to));
    if (m->vertex_velocities)
        sim_skin_interpolate(m->world, m->index, m->velocities, m->vertex_velocities);
    memcpy(m->indices, skin.triangles, 3ull * skin.triangle_count * sizeof *m->indices);
    find_normals(m, skin.vertex_count, skin.triangle_count);
    return WEIR_OK;
}

/* Returns the unit tangent of a rope at vertex i of the piece from `first` to `last`. */
static vec3 rope_tangent(const mesh_builder *m, uint32_t i, uint32_t first, uint32_t last)
{
    uint32_t from = i > first ? i - 1 : first, to = i < last ? i + 1 : last;
    return unit_or(vec3_sub(m->positions[to], m->positions[from]), vec3_make(1.0f, 0.0f, 0.0f));
}

/* Returns the unit vector perpendicular to `along` that is closest to `before`, to avoid twist. */
static vec3 transport_normal(vec3 along, vec3 before)
{
    vec3 rest = vec3_sub(before, vec3_scale(along, vec3_dot(before, along)));
    if (vec3_dot(rest, rest) < 1e-6f)
        rest = vec3_cross(along, fabsf(along.y) < 0.9f ? vec3_make(0, 1, 0) : vec3_make(1, 0, 0));
    return unit_or(rest, vec3_make(0.0f, 0.0f, 1.0f));
}

static void add_tube_ring(const mesh_builder *m, uint32_t i, vec3 along, vec3 u)
{
    vec3 w = vec3_cross(along, u);
    for (uint32_t k = 0; k < TUBE_SIDES; k++) {
        float angle = 2.0f * PI * (float)k / (float)TUBE_SIDES;
        vec3 n = vec3_add(vec3_scale(u, base_cos(angle)), vec3_scale(w, base_sin(angle)));
        uint32_t at = TUBE_SIDES * i + k;
        m->normals[at] = n;
        m->to[at] = vec3_add(m->positions[i], vec3_scale(n, m->soft->radius_m));
        if (m->vertex_velocities) m->vertex_velocities[at] = m->velocities[i];
    }
}

static uint32_t *add_triangle(uint32_t *to, uint32_t i, uint32_t j, uint32_t k)
{
    to[0] = i;
    to[1] = j;
    to[2] = k;
    return to + 3;
}

/* Adds the tube around the piece from vertex `first` to `last`; nothing for a single vertex.
 * Returns the end of the indices. */
static uint32_t *add_tube(const mesh_builder *m, uint32_t first, uint32_t last, uint32_t *to)
{
    vec3 u = {0};
    for (uint32_t i = first; i <= last; i++) {
        vec3 along = rope_tangent(m, i, first, last);
        u = transport_normal(along, u);
        add_tube_ring(m, i, along, u);
    }
    for (uint32_t i = first; i < last; i++)
        for (uint32_t k = 0; k < TUBE_SIDES; k++) {
            uint32_t a = TUBE_SIDES * i + k, b = TUBE_SIDES * i + (k + 1) % TUBE_SIDES;
            to = add_triangle(to, a, b, a + TUBE_SIDES);
            to = add_triangle(to, b, b + TUBE_SIDES, a + TUBE_SIDES);
        }
    for (uint32_t k = 1; first < last && k + 1 < TUBE_SIDES; k++) {
        to = add_triangle(to, TUBE_SIDES * first, TUBE_SIDES * first + k + 1,
                          TUBE_SIDES * first + k);
        to = add_triangle(to, TUBE_SIDES * last, TUBE_SIDES * last + k, TUBE_SIDES * last + k + 1);
    }
    return to;
}

/* Adds a tube around each piece of a torn rope. */
static void build_rope(const mesh_builder *m)
{
    const weir_deformable *s = m->soft;
    uint32_t *to = m->indices, segment = 0;
    for (uint32_t first = 0, last = 0; first < s->vertex_count; first = ++last) {
        while (segment < s->segment_count && s->segments[2 * segment] == last) {
            last++;
            segment++;
        }
        to = add_tube(m, first, last, to);
    }
}

static bool allocate_meshes(const sim_world *world, const weir_deformable *deformables,
                            bool vertex_velocities, api_deformable_meshes *out)
{
    uint32_t count = scene_deformable_count(sim_scene(world));
    out->first_vertex = base_alloc(count + 1ull, sizeof *out->first_vertex);
    out->first_triangle = base_alloc(count + 1ull, sizeof *out->first_triangle);
    if (!out->first_vertex || !out->first_triangle) return false;
    for (uint32_t i = 0; i < count; i++) {
        out->first_vertex[i + 1] = out->first_vertex[i] + vertex_count_of(world, deformables, i);
        out->first_triangle[i + 1] =
            out->first_triangle[i] + triangle_count_of(world, deformables, i);
    }
    uint32_t vertices = out->first_vertex[count];
    out->positions = base_alloc(vertices, sizeof *out->positions);
    out->normals = base_alloc(vertices, sizeof *out->normals);
    if (vertex_velocities) out->velocities = base_alloc(vertices, sizeof *out->velocities);
    out->indices = base_alloc(3ull * out->first_triangle[count], sizeof *out->indices);
    out->count = count;
    return out->positions && out->normals && out->indices &&
           (!vertex_velocities || out->velocities);
}

static weir_result build_one(const mesh_builder *m)
{
    if (sim_deformable_skin(m->world, m->index).triangle_count) return build_soft_body(m);
    if (m->soft->is_rope)
        build_rope(m);
    else
        build_cloth(m);
    return WEIR_OK;
}

static weir_result build_all(const sim_world *world, const weir_deformable *deformables,
                             const vec3 *positions, const vec3 *velocities,
                             api_deformable_meshes *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t first = out->first_vertex[i];
        const mesh_builder m = {.world = world,
                                .index = i,
                                .soft = &deformables[i],
                                .positions = positions + deformables[i].first_vertex,
                                .velocities =
                                    velocities ? velocities + deformables[i].first_vertex : NULL,
                                .to = out->positions + first,
                                .normals = out->normals + first,
                                .vertex_velocities = velocities ? out->velocities + first : NULL,
                                .indices = out->indices + 3ull * out->first_triangle[i]};
        WEIR_RETURN_IF_ERROR(build_one(&m));
    }
    return WEIR_OK;
}

weir_result api_deformable_meshes_from_sim(sim_world *world, const sim_snapshot *slot,
                                           api_deformable_meshes *out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    uint32_t count = scene_deformable_count(sim_scene(world)),
             vertices = sim_deformable_vertex_count(world);
    if (count == 0) return WEIR_OK;
    weir_deformable *deformables = base_alloc(count, sizeof *deformables);
    vec3 *positions = base_alloc(vertices, sizeof *positions);
    vec3 *velocities = slot ? NULL : base_alloc(vertices, sizeof *velocities);
    if (!deformables || !positions || (!slot && !velocities)) goto fail;
    WEIR_GOTO_IF_ERROR(sim_deformables(world, deformables, &count));
    WEIR_GOTO_IF_ERROR(sim_deformable_positions(world, slot, deformables, positions));
    if (velocities) WEIR_GOTO_IF_ERROR(sim_deformable_velocities(world, velocities));
    result =
        allocate_meshes(world, deformables, velocities != NULL, out) ? WEIR_OK : WEIR_ERROR_MEMORY;
    if (result == WEIR_OK) result = build_all(world, deformables, positions, velocities, out);
fail:
    base_free(deformables);
    base_free(positions);
    base_free(velocities);
    if (result != WEIR_OK) api_deformable_meshes_free(out);
    return result;
}

weir_result api_sim_read_deformables(weir_sim *sim, api_deformable_meshes *out)
{
    return api_deformable_meshes_from_sim(sim->world, NULL, out);
}

static bool copy_array(const void *from, size_t count, size_t size, void **to)
{
    if (!from) return true;
    *to = base_alloc(count, size);
    if (*to) memcpy(*to, from, count * size);
    return *to != NULL;
}

weir_result api_deformable_meshes_copy(const weir_log *log, const api_deformable_meshes *from,
                                       api_deformable_meshes *to)
{
    uint32_t n = from->count;
    *to = (api_deformable_meshes){0};
    if (n == 0) return WEIR_OK;
    size_t vertices = from->first_vertex[n], corners = 3ull * from->first_triangle[n];
    void *arrays[6] = {0};
    bool ok = copy_array(from->first_vertex, n + 1ull, sizeof(uint32_t), &arrays[0]) &&
              copy_array(from->first_triangle, n + 1ull, sizeof(uint32_t), &arrays[1]) &&
              copy_array(from->positions, vertices, sizeof(vec3), &arrays[2]) &&
              copy_array(from->normals, vertices, sizeof(vec3), &arrays[3]) &&
              copy_array(from->velocities, vertices, sizeof(vec3), &arrays[4]) &&
              copy_array(from->indices, corners, sizeof(uint32_t), &arrays[5]);
    *to = (api_deformable_meshes){n,         arrays[0], arrays[1], arrays[2],
                                  arrays[3], arrays[4], arrays[5]};
    if (ok) return WEIR_OK;
    api_deformable_meshes_free(to);
    return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for cloths and ropes");
}

void api_deformable_meshes_free(api_deformable_meshes *deformables)
{
    void *const arrays[] = {deformables->first_vertex, deformables->first_triangle,
                            deformables->positions,    deformables->normals,
                            deformables->velocities,   deformables->indices};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    *deformables = (api_deformable_meshes){0};
}
