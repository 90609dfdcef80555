/* Contacts between vertices: determines which vertices can collide, and sets up the hash in which
 * they find each other. */
#include "deformable_internal.h"

#define MAX_GAP 1.8 /* thicknesses: a longer edge lets a vertex pass between its ends */

bool deformable_has_self_contact(const deformable_set *set, uint32_t deformable)
{
    return set->properties[deformable].contact_mode == DEFORMABLE_CONTACTS_ALL &&
           set->properties[deformable].vertex_count > 2;
}

bool deformable_has_contacts(const deformable_set *set)
{
    uint32_t meeting = 0;
    bool itself = false;
    for (uint32_t i = 0; i < set->count; i++) {
        itself |= deformable_has_self_contact(set, i);
        meeting += set->properties[i].contact_mode != DEFORMABLE_CONTACTS_NONE;
    }
    return itself || meeting > 1;
}

static bool copy_rest_positions(deformable_set *set)
{
    bool ok = true;
    for (size_t i = 0; i < set->initial_states.count && ok; i++)
        ok = BASE_ARRAY_PUSH(&set->rest_positions, set->initial_states.items[i].position);
    return ok;
}

weir_result deformable_build_contacts(deformable_set *set, const weir_log *log)
{
    float radius = 0.0f;
    uint64_t buckets = 64;
    if (!deformable_has_contacts(set)) return WEIR_OK;
    for (uint32_t i = 0; i < set->count; i++)
        radius = fmaxf(radius, set->properties[i].radius);
    while (buckets < 2 * set->initial_states.count)
        buckets *= 2;
    set->vertex_hash =
        (struct deformable_vertex_hash){.edge = 4.0f * radius, .buckets = (uint32_t)buckets};
    if (copy_rest_positions(set)) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_MEMORY,
                     "not enough memory for the contacts of cloths and ropes");
}

/* Returns the longest edge of a deformable at the start, m. */
static double longest_edge(const deformable_set *set, uint32_t deformable)
{
    const deformable_info *f = &set->info[deformable];
    double longest = 0.0;
    for (size_t i = 0; i < set->constraints.count; i++) {
        const struct deformable_constraint *b = &set->constraints.items[i];
        bool own = b->vertices.x - f->first_vertex < f->vertex_count;
        if (own && b->kind == DEFORMABLE_STRETCH) longest = fmax(longest, (double)b->rest);
    }
    return longest;
}

/* Ignores contacts of a rope with itself, which are rare, and soft bodies, whose vertices are as
 * near to each other as necessary. */
void deformable_warn_gaps(const deformable_set *set, const weir_log *log)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const scene_deformable *s = scene_deformable_at(set->scene, i);
        double thickness = 2.0 * (double)set->properties[i].radius, edge = longest_edge(set, i);
        bool itself = s->kind == SCENE_DEFORMABLE_CLOTH && deformable_has_self_contact(set, i);
        bool meets = itself || (set->count > 1 &&
                                set->properties[i].contact_mode != DEFORMABLE_CONTACTS_NONE);
        if (!meets || s->kind == SCENE_DEFORMABLE_SOFT_BODY || edge <= MAX_GAP * thickness)
            continue;
        base_log(log, WEIR_LOG_WARNING,
                 "%s:%d:%d: '%s' has vertices up to %.3g m apart and is %.3g m thick: cloths and "
                 "ropes may pass between them; make its %s %.2g, place its vertices closer "
                 "together, or set its collides_with to \"none\"",
                 set->scene->source, s->line, s->column, s->name, edge, thickness,
                 s->kind == SCENE_DEFORMABLE_ROPE ? "diameter" : "thickness", edge / MAX_GAP);
    }
}
