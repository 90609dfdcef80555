/* What is under a place of the picture. */
#include "view_internal.h"

/* The nearest particle whose ball of half a spacing the ray meets. */
static bool pick_particle(viewer *v, camera_ray ray, vec3 *point)
{
    uint32_t count = 0;
    float nearest = INFINITY, radius = v->work.scene_info.spacing_m;
    if (weir_sim_count(v->sim, &count) != WEIR_OK || count == 0) return false;
    vec3 *x = base_alloc(count, sizeof *x);
    if (x && weir_sim_read(v->sim, WEIR_FIELD_POSITION, x, count * sizeof *x) == WEIR_OK)
        for (uint32_t i = 0; i < count; i++) {
            vec3 way = vec3_sub(x[i], ray.origin);
            float along = vec3_dot(way, ray.direction);
            vec3 off = vec3_sub(way, vec3_scale(ray.direction, along));
            if (along > 0 && along < nearest && vec3_dot(off, off) < radius * radius)
                nearest = along;
        }
    base_free(x);
    if (nearest == INFINITY) return false;
    *point = vec3_add(ray.origin, vec3_scale(ray.direction, nearest));
    return true;
}

bool view_pick(viewer *v, camera_place place, vec3 *point)
{
    camera_ray ray = camera_ray_at(&v->camera, place);
    if (pick_particle(v, ray, point)) return true;
    float way = (v->domain_min.y - ray.origin.y) / ray.direction.y;
    if (!(way > 0 && way < 100 * v->camera.distance)) return false;
    *point = vec3_add(ray.origin, vec3_scale(ray.direction, way));
    return true;
}
