/* Builds the facets that fluid collides with: triangles of cloths and soft bodies, segments of
 * ropes. */
#include "deformable_internal.h"

static bool append_facet(deformable_set *set, uint32_t a, uint32_t b, uint32_t c, float radius)
{
    uvec4 facet = {a, b, c, 0};
    memcpy(&facet.w, &radius, sizeof radius);
    return BASE_ARRAY_PUSH(&set->facets, facet);
}

static bool append_facets(deformable_set *set, uint32_t index)
{
    deformable_info *f = &set->info[index];
    uint32_t first = f->first_vertex;
    f->first_facet = (uint32_t)set->facets.count;
    bool body = scene_deformable_at(set->scene, index)->kind == SCENE_DEFORMABLE_SOFT_BODY;
    float radius = body ? set->properties[index].radius : 0.0f;
    if (scene_deformable_at(set->scene, index)->permeability > 0.0f)
        radius = DEFORMABLE_PERMEABLE_RADIUS;
    bool ok = true, rope = scene_deformable_at(set->scene, index)->kind == SCENE_DEFORMABLE_ROPE;
    for (uint32_t t = 0; t < f->triangle_count && ok; t++) {
        const uint32_t *v = &set->triangles.items[3 * (size_t)(f->first_triangle + t)];
        ok = append_facet(set, first + v[0], first + v[1], first + v[2], radius);
    }
    for (uint32_t i = 0; rope && i + 1 < f->vertex_count && ok; i++)
        ok = append_facet(set, first + i, first + i + 1, first + i + 1,
                          set->properties[index].radius);
    return ok;
}

/* Appends the drag coefficients of the facets. */
static bool append_drag_coefficients(deformable_set *set, uint32_t index)
{
    const scene_deformable *deformable = scene_deformable_at(set->scene, index);
    const deformable_info *f = &set->info[index];
    uint32_t count =
        deformable->kind == SCENE_DEFORMABLE_ROPE ? f->vertex_count - 1 : f->triangle_count;
    float resists = deformable->permeability > 0.0f ? 1.0f / deformable->permeability : 0.0f;
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = BASE_ARRAY_PUSH(&set->drag_coefficients, ((vec2){resists, deformable->skin_friction}));
    return ok;
}

/* Returns the factor by which facets may be larger than at the start. It covers the length at which
 * edges tear. */
static float max_stretch(const deformable_set *set)
{
    float slack = DEFORMABLE_FACET_SLACK;
    for (uint32_t i = 0; i < set->count; i++)
        slack = fmaxf(slack, 1.0f + set->properties[i].tear);
    return slack;
}

/* Returns the largest distance from a facet's centre at which the facet can act, m, without the
 * reach. */
static float max_facet_radius(const deformable_set *set)
{
    float max = 0.0f, slack = max_stretch(set);
    for (size_t i = 0; i < set->facets.count; i++) {
        const uvec4 *f = &set->facets.items[i];
        const vec3 p[3] = {deformable_initial_position(set, f->x),
                           deformable_initial_position(set, f->y),
                           deformable_initial_position(set, f->z)};
        vec3 middle = vec3_scale(vec3_add(p[0], p[1]), 0.5f);
        float radius;
        memcpy(&radius, &f->w, sizeof radius);
        if (f->z != f->y) middle = vec3_scale(vec3_add(p[0], vec3_add(p[1], p[2])), 1.0f / 3.0f);
        for (int k = 0; k < 3; k++)
            max = fmaxf(max, slack * vec3_length(vec3_sub(p[k], middle)) + fmaxf(radius, 0.0f));
    }
    return max;
}

static uint64_t divide_domain(const scene_data *scene, struct deformable_facet_bins *facet_bins)
{
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    float edge = facet_bins->low.w;
    facet_bins->count.x = (uint32_t)(size.x / edge) + 1;
    facet_bins->count.y = (uint32_t)(size.y / edge) + 1;
    facet_bins->count.z = (uint32_t)(size.z / edge) + 1;
    return (uint64_t)facet_bins->count.x * facet_bins->count.y * facet_bins->count.z;
}

weir_result deformable_build_facets(deformable_set *set, const weir_log *log)
{
    vec3 low = set->scene->domain.min;
    for (uint32_t i = 0; i < set->count; i++)
        if (!append_facets(set, i) ||
            (scene_deformables_have_drag(set->scene) && !append_drag_coefficients(set, i)))
            return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for cloths and ropes");
    WEIR_ASSERT(DEFORMABLE_DRAG_REACH <= DEFORMABLE_FACET_REACH);
    float reach = DEFORMABLE_FACET_REACH * set->scene->spacing;
    set->facet_bins = (struct deformable_facet_bins){
        .low = {low.x, low.y, low.z, 2.0f * (max_facet_radius(set) + reach)}, .reach = reach};
    set->facet_bins.count.w = (uint32_t)set->facets.count;
    set->facet_bins.has_tears = set->facet_tear_flags.count > 0;
    while (divide_domain(set->scene, &set->facet_bins) > DEFORMABLE_MAX_FACET_BINS)
        set->facet_bins.low.w *= 1.25f;
    return WEIR_OK;
}
