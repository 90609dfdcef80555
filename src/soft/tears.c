/* What tears: bonds of cloths and ropes that the scene lets tear have a flag behind the vertices'
 * states. A triangle that has lost an edge is gone, and what bends it tears with it. */
#include "soft_internal.h"

#include <stdlib.h>

/* An edge, to be found by its vertices. */
typedef struct seam {
    uint32_t low, high, flag;
} seam;

typedef BASE_ARRAY(seam) seams;

static int compare(const void *a, const void *b)
{
    const seam *s = a, *t = b;
    if (s->low != t->low) return s->low < t->low ? -1 : 1;
    return s->high < t->high ? -1 : s->high > t->high;
}

static uint32_t find(const seams *all, uint32_t i, uint32_t j)
{
    const seam key = {i < j ? i : j, i < j ? j : i, 0};
    const seam *found =
        all->count ? bsearch(&key, all->items, all->count, sizeof key, compare) : NULL;
    return found ? found->flag : SOFT_NONE;
}

static uint32_t next_flag(soft_set *set)
{
    return SOFT_FLAGS * (uint32_t)set->masses.count + set->flag_count++;
}

/* All that keep a length, the second diagonals of a grid's cells too. */
static bool flag_edges(soft_set *set, size_t first, size_t end, seams *all)
{
    bool ok = true;
    for (size_t i = first; i < end && ok; i++) {
        struct soft_bond *b = &set->bonds.items[i];
        if (b->kind != SOFT_STRETCH) continue;
        uint32_t v = b->vertices.x, w = b->vertices.y;
        b->flag = next_flag(set);
        ok = BASE_PUSH(all, ((seam){v < w ? v : w, v < w ? w : v, b->flag}));
    }
    if (ok && all->count) qsort(all->items, all->count, sizeof(seam), compare);
    return ok;
}

static bool put_frays(soft_set *set, size_t first, size_t end, const seams *all)
{
    bool ok = true;
    for (size_t i = first; i < end && ok; i++) {
        struct soft_bond *b = &set->bonds.items[i];
        if (b->kind != SOFT_BEND) continue;
        const uvec4 *v = &b->vertices;
        b->flag = next_flag(set);
        const struct soft_fray fray = {.flag = b->flag,
                                       .edge0 = find(all, v->x, v->y),
                                       .edge1 = find(all, v->x, v->z),
                                       .edge2 = find(all, v->y, v->z),
                                       .edge3 = find(all, v->x, v->w),
                                       .edge4 = find(all, v->y, v->w)};
        ok = BASE_PUSH(&set->frays, fray);
    }
    return ok;
}

static bool put_seams(soft_set *set, uint32_t soft, const seams *all)
{
    const soft_figures *f = &set->figures[soft];
    uint32_t first = f->first_vertex;
    bool ok = true;
    for (uint32_t t = 0; t < f->triangle_count && ok; t++) {
        const uint32_t *v = &set->triangles.items[3 * (size_t)(f->first_triangle + t)];
        const uvec4 seam = {find(all, first + v[0], first + v[1]),
                            find(all, first + v[1], first + v[2]),
                            find(all, first + v[2], first + v[0]), SOFT_NONE};
        ok = BASE_PUSH(&set->seams, seam);
    }
    bool rope = scene_soft_at(set->scene, soft)->kind == SCENE_SOFT_ROPE;
    for (uint32_t i = first; rope && i + 1 < first + f->vertex_count && ok; i++) {
        const uvec4 seam = {find(all, i, i + 1), SOFT_NONE, SOFT_NONE, SOFT_NONE};
        ok = BASE_PUSH(&set->seams, seam);
    }
    return ok;
}

weir_result soft_build_tears(soft_set *set, const weir_log *log)
{
    size_t first = 0, end = 0;
    bool ok = true, tears = false;
    for (uint32_t i = 0; i < set->count; i++)
        tears |= set->makes[i].tear > 0.0f;
    for (uint32_t i = 0; i < set->count && tears && ok; i++, first = end) {
        seams all = {0};
        end = first + set->figures[i].bonds;
        if (set->makes[i].tear > 0.0f)
            ok = flag_edges(set, first, end, &all) && put_frays(set, first, end, &all);
        ok = ok && put_seams(set, i, &all);
        BASE_ARRAY_FREE(&all);
    }
    return ok ? WEIR_OK : base_fail(log, WEIR_MEMORY, "no memory for what tears");
}

weir_result soft_put_flags(soft_set *set, const weir_log *log)
{
    const struct soft_state none = {0};
    for (uint32_t i = 0; i < set->flag_count; i += SOFT_FLAGS)
        if (!BASE_PUSH(&set->starts, none))
            return base_fail(log, WEIR_MEMORY, "no memory for what tears");
    return WEIR_OK;
}
