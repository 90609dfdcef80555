/* Taking triangles and vertices out of a surface, and moving what vertices carry. */
#include "surface_internal.h"

/* Numbers the used vertices in `place`, which marks them with anything but SURFACE_NONE. */
static uint32_t number_vertices(uint32_t *place, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t v = 0; v < count; ++v)
        if (place[v] != SURFACE_NONE) place[v] = kept++;
    return kept;
}

static uint32_t move_triangles(mesher_surface *surface, const bool *keep)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        if (keep && !keep[t]) continue;
        if (kept != t)
            memcpy(surface->index + 3 * (size_t)kept, surface->index + 3 * (size_t)t,
                   3 * sizeof *surface->index);
        kept++;
    }
    return kept;
}

void surface_drop_removed(mesher_surface *surface)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        uint32_t *corner = surface->index + 3 * (size_t)t;
        if (corner[0] != SURFACE_NONE)
            memmove(surface->index + 3 * (size_t)kept++, corner, 3 * sizeof *corner);
    }
    surface->triangle_count = kept;
}

static void move_vertices(mesher_surface *surface, const uint32_t *place)
{
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        const uint32_t to = place[v];
        if (to == SURFACE_NONE || to == v) continue;
        surface->position[to] = surface->position[v];
        if (surface->normal) surface->normal[to] = surface->normal[v];
        if (surface->velocity) surface->velocity[to] = surface->velocity[v];
        for (uint32_t i = 0; i < surface->channel_count; ++i) {
            const mesher_channel *channel = &surface->channel[i];
            memcpy(channel->values + (size_t)to * channel->components,
                   channel->values + (size_t)v * channel->components,
                   channel->components * sizeof *channel->values);
        }
    }
}

/* Gives memory back; a failure to shrink keeps the block as it was. */
static void shrink(void **items, size_t count, size_t size)
{
    void *smaller = *items ? base_realloc(*items, count > 0 ? count : 1, size) : NULL;
    if (smaller) *items = smaller;
}

static void shrink_arrays(mesher_surface *surface)
{
    const size_t vertices = surface->vertex_count;
    shrink((void **)&surface->position, vertices, sizeof *surface->position);
    shrink((void **)&surface->normal, vertices, sizeof *surface->normal);
    shrink((void **)&surface->velocity, vertices, sizeof *surface->velocity);
    shrink((void **)&surface->index, surface->triangle_count, 3 * sizeof *surface->index);
    for (uint32_t i = 0; i < surface->channel_count; ++i) {
        mesher_channel *channel = &surface->channel[i];
        shrink((void **)&channel->values, vertices, channel->components * sizeof(float));
    }
}

weir_result surface_compact(const weir_log *log, mesher_surface *surface, const bool *keep)
{
    uint32_t *place = base_alloc(surface->vertex_count, sizeof *place);
    if (!place)
        return base_fail(log, WEIR_MEMORY, "no memory to tidy a mesh of %u vertices",
                         surface->vertex_count);
    surface->triangle_count = move_triangles(surface, keep);
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        place[v] = SURFACE_NONE;
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; ++i)
        place[surface->index[i]] = 0;
    const uint32_t kept = number_vertices(place, surface->vertex_count);
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; ++i)
        surface->index[i] = place[surface->index[i]];
    move_vertices(surface, place);
    surface->vertex_count = kept;
    base_free(place);
    shrink_arrays(surface);
    return WEIR_OK;
}

static vec3 mix(vec3 a, vec3 b, float t)
{
    return vec3_add(vec3_scale(a, 1 - t), vec3_scale(b, t));
}

void surface_mix(mesher_surface *surface, uint32_t to, uint32_t from, float t)
{
    surface->position[to] = mix(surface->position[to], surface->position[from], t);
    if (surface->velocity)
        surface->velocity[to] = mix(surface->velocity[to], surface->velocity[from], t);
    if (surface->normal) {
        const vec3 n = mix(surface->normal[to], surface->normal[from], t);
        const float length = vec3_length(n);
        if (length > 0) surface->normal[to] = vec3_scale(n, 1 / length);
    }
    for (uint32_t i = 0; i < surface->channel_count; ++i) {
        const mesher_channel *channel = &surface->channel[i];
        float *a = channel->values + (size_t)to * channel->components;
        const float *b = channel->values + (size_t)from * channel->components;
        for (uint32_t k = 0; k < channel->components; ++k)
            a[k] = a[k] * (1 - t) + b[k] * t;
    }
}
