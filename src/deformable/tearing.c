/* Tearing: constraints of cloths and ropes that can tear have a flag after the vertices' states. A
 * triangle that has lost an edge disappears, and the bending constraints over it tear, too. */
#include "deformable_internal.h"

#include <stdlib.h>

/* An edge, found by its vertices. */
typedef struct tear_edge {
    uint32_t low, high, tear_flag;
} tear_edge;

typedef BASE_ARRAY(tear_edge) tear_edges;

static int compare_edges(const void *a, const void *b)
{
    const tear_edge *s = a, *t = b;
    if (s->low != t->low) return s->low < t->low ? -1 : 1;
    return s->high < t->high ? -1 : s->high > t->high;
}

static uint32_t find_tear_flag(const tear_edges *all, uint32_t i, uint32_t j)
{
    const tear_edge key = {i < j ? i : j, i < j ? j : i, 0};
    const tear_edge *found =
        all->count ? bsearch(&key, all->items, all->count, sizeof key, compare_edges) : NULL;
    return found ? found->tear_flag : DEFORMABLE_NONE;
}

static uint32_t next_flag(deformable_set *set)
{
    return DEFORMABLE_FLAGS_PER_STATE * (uint32_t)set->masses.count + set->tear_flag_count++;
}

/* Assigns flags to all stretch constraints, including the second diagonals of a grid's cells. */
static bool flag_edges(deformable_set *set, size_t first, size_t end, tear_edges *all)
{
    bool ok = true;
    for (size_t i = first; i < end && ok; i++) {
        struct deformable_constraint *b = &set->constraints.items[i];
        if (b->kind != DEFORMABLE_STRETCH) continue;
        uint32_t v = b->vertices.x, w = b->vertices.y;
        b->tear_flag = next_flag(set);
        ok = BASE_ARRAY_PUSH(all, ((tear_edge){v < w ? v : w, v < w ? w : v, b->tear_flag}));
    }
    if (ok && all->count) qsort(all->items, all->count, sizeof(tear_edge), compare_edges);
    return ok;
}

static bool append_bend_tears(deformable_set *set, size_t first, size_t end, const tear_edges *all)
{
    bool ok = true;
    for (size_t i = first; i < end && ok; i++) {
        struct deformable_constraint *b = &set->constraints.items[i];
        if (b->kind != DEFORMABLE_BEND) continue;
        const uvec4 *v = &b->vertices;
        b->tear_flag = next_flag(set);
        const struct deformable_bend_tear bend_tear = {.tear_flag = b->tear_flag,
                                                       .edge0 = find_tear_flag(all, v->x, v->y),
                                                       .edge1 = find_tear_flag(all, v->x, v->z),
                                                       .edge2 = find_tear_flag(all, v->y, v->z),
                                                       .edge3 = find_tear_flag(all, v->x, v->w),
                                                       .edge4 = find_tear_flag(all, v->y, v->w)};
        ok = BASE_ARRAY_PUSH(&set->bend_tears, bend_tear);
    }
    return ok;
}

static bool append_facet_flags(deformable_set *set, uint32_t deformable, const tear_edges *all)
{
    const deformable_info *f = &set->info[deformable];
    uint32_t first = f->first_vertex;
    bool ok = true;
    for (uint32_t t = 0; t < f->triangle_count && ok; t++) {
        const uint32_t *v = &set->triangles.items[3 * (size_t)(f->first_triangle + t)];
        const uvec4 tear_edge = {find_tear_flag(all, first + v[0], first + v[1]),
                                 find_tear_flag(all, first + v[1], first + v[2]),
                                 find_tear_flag(all, first + v[2], first + v[0]), DEFORMABLE_NONE};
        ok = BASE_ARRAY_PUSH(&set->facet_tear_flags, tear_edge);
    }
    bool rope = scene_deformable_at(set->scene, deformable)->kind == SCENE_DEFORMABLE_ROPE;
    for (uint32_t i = first; rope && i + 1 < first + f->vertex_count && ok; i++) {
        const uvec4 tear_edge = {find_tear_flag(all, i, i + 1), DEFORMABLE_NONE, DEFORMABLE_NONE,
                                 DEFORMABLE_NONE};
        ok = BASE_ARRAY_PUSH(&set->facet_tear_flags, tear_edge);
    }
    return ok;
}

weir_result deformable_build_tear_flags(deformable_set *set, const weir_log *log)
{
    size_t first = 0, end = 0;
    bool ok = true, tears = false;
    for (uint32_t i = 0; i < set->count; i++)
        tears |= set->properties[i].tear > 0.0f;
    for (uint32_t i = 0; i < set->count && tears && ok; i++, first = end) {
        tear_edges all = {0};
        end = first + set->info[i].constraints;
        if (set->properties[i].tear > 0.0f)
            ok = flag_edges(set, first, end, &all) && append_bend_tears(set, first, end, &all);
        ok = ok && append_facet_flags(set, i, &all);
        BASE_ARRAY_FREE(&all);
    }
    return ok ? WEIR_OK : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for tearing");
}

weir_result deformable_append_tear_flags(deformable_set *set, const weir_log *log)
{
    const struct deformable_state none = {0};
    for (uint32_t i = 0; i < set->tear_flag_count; i += DEFORMABLE_FLAGS_PER_STATE)
        if (!BASE_ARRAY_PUSH(&set->initial_states, none))
            return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for tearing");
    return WEIR_OK;
}
