/* Releases surfaces and spray, removes triangles and vertices, and copies vertex attributes. */
#include "surface_internal.h"

void mesher_surface_free(mesher_surface *surface)
{
    if (!surface) return;
    base_free(surface->position);
    base_free(surface->normal);
    base_free(surface->velocity);
    base_free(surface->index);
    for (uint32_t i = 0; i < surface->channel_count; i++)
        base_free(surface->channel[i].values);
    *surface = (mesher_surface){0};
}

void mesher_spray_free(mesher_spray *spray)
{
    if (!spray) return;
    base_free(spray->position);
    base_free(spray->velocity);
    *spray = (mesher_spray){0};
}

void surface_erase_removed(mesher_surface *surface)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        uint32_t *corner = surface->index + 3 * (size_t)t;
        if (corner[0] != SURFACE_NO_INDEX)
            memmove(surface->index + 3 * (size_t)kept++, corner, 3 * sizeof *corner);
    }
    surface->triangle_count = kept;
}

mesher_vertex_channel *surface_find_channel(mesher_surface *surface, const char *name)
{
    for (uint32_t i = 0; i < surface->channel_count; ++i) {
        mesher_vertex_channel *channel = &surface->channel[i];
        if (strcmp(channel->name, name) == 0 && channel->components == 1) return channel;
    }
    return NULL;
}

bool surface_resize_array(void **items, size_t count, size_t size)
{
    if (!*items) return true;
    void *resized = base_realloc(*items, count > 0 ? count : 1, size);
    if (resized) *items = resized;
    return resized != NULL;
}

bool surface_resize_vertices(mesher_surface *surface, size_t count)
{
    bool ready =
        surface_resize_array((void **)&surface->position, count, sizeof *surface->position) &&
        surface_resize_array((void **)&surface->normal, count, sizeof *surface->normal) &&
        surface_resize_array((void **)&surface->velocity, count, sizeof *surface->velocity);
    for (uint32_t i = 0; ready && i < surface->channel_count; ++i) {
        mesher_vertex_channel *channel = &surface->channel[i];
        ready = surface_resize_array((void **)&channel->values, count,
                                     channel->components * sizeof *channel->values);
    }
    return ready;
}

void surface_copy_vertex(mesher_surface *surface, uint32_t to, uint32_t from)
{
    surface->position[to] = surface->position[from];
    if (surface->normal) surface->normal[to] = surface->normal[from];
    if (surface->velocity) surface->velocity[to] = surface->velocity[from];
    for (uint32_t i = 0; i < surface->channel_count; ++i) {
        const mesher_vertex_channel *channel = &surface->channel[i];
        memcpy(channel->values + (size_t)to * channel->components,
               channel->values + (size_t)from * channel->components,
               channel->components * sizeof *channel->values);
    }
}

/* Moves the vertices that triangles use to the front, in order. `number`: scratch array for the
 * new index of each vertex. */
static void remove_unused_vertices(mesher_surface *surface, uint32_t *number)
{
    const size_t corners = 3 * (size_t)surface->triangle_count;
    uint32_t kept = 0;
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        number[v] = SURFACE_NO_INDEX;
    for (size_t i = 0; i < corners; ++i)
        number[surface->index[i]] = 0;
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        if (number[v] == SURFACE_NO_INDEX) continue;
        if (kept != v) surface_copy_vertex(surface, kept, v);
        number[v] = kept++;
    }
    for (size_t i = 0; i < corners; ++i)
        surface->index[i] = number[surface->index[i]];
    surface->vertex_count = kept;
}

weir_result surface_compact(const weir_log *log, mesher_surface *surface, const bool *keep)
{
    uint32_t *number = base_alloc(surface->vertex_count, sizeof *number);
    if (!number)
        return base_fail(log, WEIR_ERROR_MEMORY,
                         "not enough memory to compact a mesh of %u vertices",
                         surface->vertex_count);
    for (uint32_t t = 0; keep && t < surface->triangle_count; ++t)
        if (!keep[t]) surface->index[3 * (size_t)t] = SURFACE_NO_INDEX;
    surface_erase_removed(surface);
    remove_unused_vertices(surface, number);
    base_free(number);
    /* Releases memory; an array that cannot shrink remains unchanged. */
    surface_resize_vertices(surface, surface->vertex_count);
    surface_resize_array((void **)&surface->index, surface->triangle_count,
                         3 * sizeof *surface->index);
    return WEIR_OK;
}

static vec3 lerp3(vec3 a, vec3 b, float t)
{
    return vec3_add(vec3_scale(a, 1 - t), vec3_scale(b, t));
}

void surface_move_vertex_toward(mesher_surface *surface, uint32_t to, uint32_t from, float t)
{
    surface->position[to] = lerp3(surface->position[to], surface->position[from], t);
    if (surface->velocity)
        surface->velocity[to] = lerp3(surface->velocity[to], surface->velocity[from], t);
    if (surface->normal) {
        const vec3 n = lerp3(surface->normal[to], surface->normal[from], t);
        const float length = vec3_length(n);
        if (length > 0) surface->normal[to] = vec3_scale(n, 1 / length);
    }
    for (uint32_t i = 0; i < surface->channel_count; ++i) {
        const mesher_vertex_channel *channel = &surface->channel[i];
        float *a = channel->values + (size_t)to * channel->components;
        const float *b = channel->values + (size_t)from * channel->components;
        for (uint32_t k = 0; k < channel->components; ++k)
            a[k] = a[k] * (1 - t) + b[k] * t;
    }
}
