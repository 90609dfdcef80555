/* Computes vertex normals from faces, weighted by angle: Thuermer and Wuethrich, "Computing
 * vertex normals from polygonal facets" (1998). */
#include "surface_internal.h"

typedef struct normal_smoothing {
    mesher_surface *surface;
    const surface_rings *rings;
    const vec3 *from;
    vec3 *to;
} normal_smoothing;

static vec3 unit_or_default(vec3 v, vec3 other)
{
    const float length = vec3_length(v);
    return length > 0 && isfinite(length) ? vec3_scale(v, 1 / length) : other;
}

static float angle_at(vec3 a, vec3 b, vec3 c)
{
    const vec3 u = vec3_sub(b, a), v = vec3_sub(c, a);
    return base_atan2(vec3_length(vec3_cross(u, v)), vec3_dot(u, v));
}

/* Sums in the order of the triangles, on one thread, so that the sums are the same on every
 * machine. */
static void sum_face_normals(mesher_surface *surface)
{
    const vec3 *p = surface->position;
    memset(surface->normal, 0, surface->vertex_count * sizeof *surface->normal);
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *c = surface->index + 3 * (size_t)t;
        const vec3 face =
            unit_or_default(surface_area_vector(p[c[0]], p[c[1]], p[c[2]]), (vec3){0, 0, 0});
        for (uint32_t k = 0; k < 3; ++k) {
            const float angle = angle_at(p[c[k]], p[c[(k + 1) % 3]], p[c[(k + 2) % 3]]);
            surface->normal[c[k]] = vec3_add(surface->normal[c[k]], vec3_scale(face, angle));
        }
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
        surface->normal[v] = unit_or_default(surface->normal[v], (vec3){0, 1, 0});
}

static void blend_normals(void *user, size_t first, size_t end)
{
    const normal_smoothing *s = user;
    for (size_t v = first; v < end; ++v) {
        vec3 sum = s->from[v];
        for (uint32_t i = s->rings->first[v]; i < s->rings->first[v + 1]; ++i)
            sum = vec3_add(sum, s->from[s->rings->items[i]]);
        s->to[v] = unit_or_default(sum, s->from[v]);
    }
}

static weir_result smooth_normals(const weir_log *log, mesher_surface *surface, uint32_t iterations)
{
    surface_rings rings;
    halfedge_mesh mesh;
    WEIR_RETURN_IF_ERROR(halfedge_mesh_create(log, surface, &mesh));
    weir_result result = surface_rings_create(log, &mesh, &rings);
    halfedge_mesh_free(&mesh);
    WEIR_RETURN_IF_ERROR(result);
    vec3 *other = base_alloc(surface->vertex_count, sizeof *other);
    if (!other) result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to smooth normals");
    for (uint32_t i = 0; other && i < iterations; ++i) {
        normal_smoothing s = {surface, &rings, surface->normal, other};
        base_parallel_for(surface->vertex_count, SURFACE_CHUNK, blend_normals, &s);
        other = surface->normal;
        surface->normal = s.to;
    }
    base_free(other);
    surface_rings_free(&rings);
    return result;
}

weir_result mesher_surface_normals(const weir_log *log, mesher_surface *surface,
                                   uint32_t iterations)
{
    if (!surface->normal)
        surface->normal = base_alloc(surface->vertex_count, sizeof *surface->normal);
    if (!surface->normal)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for %u normals",
                         surface->vertex_count);
    sum_face_normals(surface);
    return iterations > 0 ? smooth_normals(log, surface, iterations) : WEIR_OK;
}
