/* What fluid meets: the triangles of cloths and soft bodies, and the segments of ropes. */
#include "soft_internal.h"

static bool put_facet(soft_set *set, uint32_t a, uint32_t b, uint32_t c, float radius)
{
    uvec4 facet = {a, b, c, 0};
    memcpy(&facet.w, &radius, sizeof radius);
    return BASE_PUSH(&set->facets, facet);
}

static bool list_facets(soft_set *set, uint32_t index)
{
    soft_figures *f = &set->figures[index];
    uint32_t first = f->first_vertex;
    f->first_facet = (uint32_t)set->facets.count;
    bool body = scene_soft_at(set->scene, index)->kind == SCENE_SOFT_BODY;
    float radius = body ? set->makes[index].radius : 0.0f;
    if (scene_soft_at(set->scene, index)->permeability > 0.0f) radius = SOFT_OPEN;
    bool ok = true, rope = scene_soft_at(set->scene, index)->kind == SCENE_SOFT_ROPE;
    for (uint32_t t = 0; t < f->triangle_count && ok; t++) {
        const uint32_t *v = &set->triangles.items[3 * (size_t)(f->first_triangle + t)];
        ok = put_facet(set, first + v[0], first + v[1], first + v[2], radius);
    }
    for (uint32_t i = 0; rope && i + 1 < f->vertex_count && ok; i++)
        ok = put_facet(set, first + i, first + i + 1, first + i + 1, set->makes[index].radius);
    return ok;
}

/* How each drags fluid. */
static bool list_skins(soft_set *set, uint32_t index)
{
    const scene_soft *soft = scene_soft_at(set->scene, index);
    const soft_figures *f = &set->figures[index];
    uint32_t count = soft->kind == SCENE_SOFT_ROPE ? f->vertex_count - 1 : f->triangle_count;
    float resists = soft->permeability > 0.0f ? 1.0f / soft->permeability : 0.0f;
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = BASE_PUSH(&set->skins, ((vec2){resists, soft->fluid_friction}));
    return ok;
}

/* How much larger than at the start a facet may be: none tears before an edge is so long. */
static float slack_of(const soft_set *set)
{
    float slack = SOFT_SLACK;
    for (uint32_t i = 0; i < set->count; i++)
        slack = fmaxf(slack, 1.0f + set->makes[i].tear);
    return slack;
}

/* The largest distance from a facet's middle at which it can matter, without the reach. */
static float farthest(const soft_set *set)
{
    float most = 0.0f, slack = slack_of(set);
    for (size_t i = 0; i < set->facets.count; i++) {
        const uvec4 *f = &set->facets.items[i];
        const vec3 p[3] = {soft_place(set, f->x), soft_place(set, f->y), soft_place(set, f->z)};
        vec3 middle = vec3_scale(vec3_add(p[0], p[1]), 0.5f);
        float radius;
        memcpy(&radius, &f->w, sizeof radius);
        if (f->z != f->y) middle = vec3_scale(vec3_add(p[0], vec3_add(p[1], p[2])), 1.0f / 3.0f);
        for (int k = 0; k < 3; k++)
            most = fmaxf(most, slack * vec3_length(vec3_sub(p[k], middle)) + fmaxf(radius, 0.0f));
    }
    return most;
}

static uint64_t divide(const scene_data *scene, struct soft_lattice *cells)
{
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    float edge = cells->low.w;
    cells->count.x = (uint32_t)(size.x / edge) + 1;
    cells->count.y = (uint32_t)(size.y / edge) + 1;
    cells->count.z = (uint32_t)(size.z / edge) + 1;
    return (uint64_t)cells->count.x * cells->count.y * cells->count.z;
}

weir_result soft_build_facets(soft_set *set, const weir_log *log)
{
    vec3 low = set->scene->domain.min;
    for (uint32_t i = 0; i < set->count; i++)
        if (!list_facets(set, i) || (scene_softs_drag(set->scene) && !list_skins(set, i)))
            return base_fail(log, WEIR_MEMORY, "no memory for cloths and ropes");
    WEIR_ASSERT(SOFT_DRAGGED <= SOFT_REACH);
    float reach = SOFT_REACH * set->scene->spacing;
    set->cells = (struct soft_lattice){.low = {low.x, low.y, low.z, 2.0f * (farthest(set) + reach)},
                                       .reach = reach};
    set->cells.count.w = (uint32_t)set->facets.count;
    set->cells.tears = set->seams.count > 0;
    while (divide(set->scene, &set->cells) > SOFT_CELLS_MOST)
        set->cells.low.w *= 1.25f;
    return WEIR_OK;
}
