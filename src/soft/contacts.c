/* Vertices that meet each other: which do, and the cells in which they find each other. */
#include "soft_internal.h"

#define PASSES 1.8 /* thicknesses: ends of a longer edge let a vertex through between them */

bool soft_meets_itself(const soft_set *set, uint32_t soft)
{
    return set->makes[soft].meets == SOFT_MEETS_ALL && set->makes[soft].vertex_count > 2;
}

bool soft_has_contacts(const soft_set *set)
{
    uint32_t meeting = 0;
    bool itself = false;
    for (uint32_t i = 0; i < set->count; i++) {
        itself |= soft_meets_itself(set, i);
        meeting += set->makes[i].meets != SOFT_MEETS_NONE;
    }
    return itself || meeting > 1;
}

static bool put_rests(soft_set *set)
{
    bool ok = true;
    for (size_t i = 0; i < set->starts.count && ok; i++)
        ok = BASE_PUSH(&set->rests, set->starts.items[i].position);
    return ok;
}

weir_result soft_build_contacts(soft_set *set, const weir_log *log)
{
    float radius = 0.0f;
    uint64_t buckets = 64;
    if (!soft_has_contacts(set)) return WEIR_OK;
    for (uint32_t i = 0; i < set->count; i++)
        radius = fmaxf(radius, set->makes[i].radius);
    while (buckets < 2 * set->starts.count)
        buckets *= 2;
    set->crowd = (struct soft_hash){.edge = 4.0f * radius, .buckets = (uint32_t)buckets};
    if (put_rests(set)) return WEIR_OK;
    return base_fail(log, WEIR_MEMORY, "no memory for the contacts of cloths and ropes");
}

/* The longest edge that keeps a length, at the start. */
static double longest_edge(const soft_set *set, uint32_t soft)
{
    const soft_figures *f = &set->figures[soft];
    double longest = 0.0;
    for (size_t i = 0; i < set->bonds.count; i++) {
        const struct soft_bond *b = &set->bonds.items[i];
        bool own = b->vertices.x - f->first_vertex < f->vertex_count;
        if (own && b->kind == SOFT_STRETCH) longest = fmax(longest, (double)b->rest);
    }
    return longest;
}

/* The vertices of a rope alone, which seldom meet each other, are not warned of; those of a soft
 * body are as near as they have to be. */
void soft_warn_of_gaps(const soft_set *set, const weir_log *log)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const scene_soft *s = scene_soft_at(set->scene, i);
        double thickness = 2.0 * (double)set->makes[i].radius, edge = longest_edge(set, i);
        bool itself = s->kind == SCENE_SOFT_CLOTH && soft_meets_itself(set, i);
        bool meets = itself || (set->count > 1 && set->makes[i].meets != SOFT_MEETS_NONE);
        if (!meets || s->kind == SCENE_SOFT_BODY || edge <= PASSES * thickness) continue;
        base_log(
            log, WEIR_LOG_WARNING,
            "%s:%d:%d: '%s' has vertices up to %.3g m apart and is %.3g m thick: cloths and "
            "ropes may pass between them; make its %s %.2g, its vertices nearer to each other, "
            "or set its contacts to \"none\"",
            set->scene->source, s->line, s->column, s->name, edge, thickness,
            s->kind == SCENE_SOFT_ROPE ? "diameter" : "thickness", edge / PASSES);
    }
}
