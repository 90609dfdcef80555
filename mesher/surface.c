/* Surfaces on the host. */
#include "mesher_internal.h"

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

/* Angle of a triangle at `a`, which weights its normal there (Thuermer and Wuethrich 1998). */
static float corner_angle(vec3 a, vec3 b, vec3 c)
{
    vec3 u = vec3_sub(b, a), v = vec3_sub(c, a);
    return atan2f(vec3_length(vec3_cross(u, v)), vec3_dot(u, v));
}

static vec3 unit_or(vec3 v, vec3 other)
{
    float size = vec3_length(v);
    return size > 0.0f ? vec3_scale(v, 1.0f / size) : other;
}

weir_result mesher_face_normals(mesher *m, mesher_surface *s)
{
    base_free(s->normal);
    s->normal = base_alloc(s->vertex_count, sizeof *s->normal);
    if (!s->normal) return base_fail(mesher_log(m), WEIR_MEMORY, "no memory for normals");
    for (size_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *corner = s->index + 3 * t;
        vec3 p[3] = {s->position[corner[0]], s->position[corner[1]], s->position[corner[2]]};
        vec3 cross = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        vec3 n = unit_or(cross, (vec3){0});
        for (int k = 0; k < 3; k++) {
            float angle = corner_angle(p[k], p[(k + 1) % 3], p[(k + 2) % 3]);
            s->normal[corner[k]] = vec3_add(s->normal[corner[k]], vec3_scale(n, angle));
        }
    }
    for (size_t i = 0; i < s->vertex_count; i++)
        s->normal[i] = unit_or(s->normal[i], (vec3){0.0f, 1.0f, 0.0f});
    return WEIR_OK;
}
