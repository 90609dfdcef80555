/* The constraints of cloths and ropes. Stretch: an edge keeps its length. Its compliance is that of
 * a strip as wide as the area of its triangles over its length (docs/equations.md). Bending of a
 * sheet: over each edge between two triangles, linear in the vertices (Bergou, Wardetzky, Harmon,
 * Zorin and Grinspun 2006). Of a line: the second difference. */
#include "soft_internal.h"

#include <stdlib.h>

/* An edge as one triangle has it. */
typedef struct edge {
    uint32_t low, high; /* its vertices */
    uint32_t opposite;  /* of the triangle; SOFT_NONE: the edge is of no triangle */
    float area;         /* m2: what it is stiff by */
} edge;

typedef BASE_ARRAY(edge) edges;

static weir_result no_memory(const soft_builder *b)
{
    return base_fail(b->log, WEIR_MEMORY, "no memory for the constraints of '%s'", b->soft->name);
}

static int compare_edges(const void *a, const void *b)
{
    const edge *e = a, *f = b;
    if (e->low != f->low) return e->low < f->low ? -1 : 1;
    if (e->high != f->high) return e->high < f->high ? -1 : 1;
    return e->opposite < f->opposite ? -1 : e->opposite > f->opposite;
}

static vec3 offset(const soft_set *set, uint32_t from, uint32_t to)
{
    return vec3_sub(soft_place(set, to), soft_place(set, from));
}

static float area_of(const soft_set *set, uint32_t i, uint32_t j, uint32_t k)
{
    return 0.5f * vec3_length(vec3_cross(offset(set, i, j), offset(set, i, k)));
}

static bool put_edge(edges *all, uint32_t i, uint32_t j, uint32_t opposite, float area)
{
    edge e = {i < j ? i : j, i < j ? j : i, opposite, area};
    return BASE_PUSH(all, e);
}

static bool list_edges(const soft_set *set, const soft_figures *f, edges *all)
{
    bool ok = true;
    for (uint32_t t = 0; t < f->triangle_count && ok; t++) {
        const uint32_t *local = &set->triangles.items[3 * (f->first_triangle + t)];
        const uint32_t first = f->first_vertex;
        const uint32_t v[3] = {first + local[0], first + local[1], first + local[2]};
        float area = area_of(set, v[0], v[1], v[2]);
        for (int k = 0; k < 3 && ok; k++)
            ok = put_edge(all, v[k], v[(k + 1) % 3], v[(k + 2) % 3], area);
    }
    if (ok && all->count) qsort(all->items, all->count, sizeof(edge), compare_edges);
    return ok;
}

/* ---- stretch -------------------------------------------------------------------------------- */

static bool put_stretch(soft_builder *b, uint32_t i, uint32_t j, float area)
{
    float length = vec3_length(offset(b->set, i, j)), stiffness = b->soft->stiffness;
    float compliance = stiffness > 0.0f ? length * length / (stiffness * area) : 0.0f;
    if (b->soft->kind == SCENE_SOFT_ROPE && stiffness > 0.0f) compliance = length / stiffness;
    if (b->soft->pbd_stiffness > 0.0f) compliance = -b->soft->pbd_stiffness;
    const struct soft_bond bond = {.vertices = {i, j, SOFT_NONE, SOFT_NONE},
                                   .shares = {1.0f, -1.0f, 0.0f, 0.0f},
                                   .rest = length,
                                   .compliance = compliance,
                                   .kind = SOFT_STRETCH,
                                   .flag = SOFT_NONE};
    return BASE_PUSH(&b->set->bonds, bond);
}

/* The diagonals of a grid's cells that are no edges. */
static bool put_diagonals(soft_builder *b)
{
    bool ok = true;
    const uint32_t *v = &b->set->triangles.items[3 * b->set->figures[b->index].first_triangle];
    uint32_t count = b->set->figures[b->index].triangle_count;
    for (uint32_t t = 0; t + 1 < count && ok; t += 2, v += 6) {
        bool even = v[0] == v[3]; /* both have the cell's first corner */
        uint32_t i = b->first + (even ? v[1] : v[0]), j = b->first + (even ? v[5] : v[4]);
        ok = put_stretch(b, i, j, 2.0f * area_of(b->set, i, j, b->first + (even ? v[2] : v[1])));
    }
    return ok;
}

/* ---- bending -------------------------------------------------------------------------------- */

/* The cotangent of the angle at `apex` between `i` and `j`. */
static float cotangent(const soft_set *set, uint32_t apex, uint32_t i, uint32_t j)
{
    vec3 a = offset(set, apex, i), c = offset(set, apex, j);
    return vec3_dot(a, c) / vec3_length(vec3_cross(a, c));
}

static bool put_bend(soft_builder *b, const edge *one, const edge *two)
{
    const soft_set *set = b->set;
    uint32_t i = one->low, j = one->high, p = one->opposite, q = two->opposite;
    float ip = cotangent(set, i, j, p), iq = cotangent(set, i, j, q);
    float jp = cotangent(set, j, i, p), jq = cotangent(set, j, i, q);
    const struct soft_bond bond = {.vertices = {i, j, p, q},
                                   .shares = {jp + jq, ip + iq, -(ip + jp), -(iq + jq)},
                                   .compliance =
                                       (one->area + two->area) / (3.0f * b->soft->bending),
                                   .kind = SOFT_BEND,
                                   .flag = SOFT_NONE};
    return BASE_PUSH(&b->set->bonds, bond);
}

static bool put_bends(soft_builder *b, const edges *all)
{
    bool ok = true;
    for (size_t i = 0; i + 1 < all->count && ok; i++) {
        const edge *e = &all->items[i];
        if (e[0].low == e[1].low && e[0].high == e[1].high) ok = put_bend(b, &e[0], &e[1]);
    }
    return ok;
}

/* ---- a cloth, a rope ------------------------------------------------------------------------ */

static bool put_stretches(soft_builder *b, const edges *all)
{
    bool ok = true;
    for (size_t i = 0; i < all->count && ok;) {
        const edge *e = &all->items[i];
        float area = 0.0f;
        for (; i < all->count && all->items[i].low == e->low && all->items[i].high == e->high; i++)
            area += all->items[i].area;
        ok = put_stretch(b, e->low, e->high, area);
    }
    return ok;
}

static bool bind_cloth(soft_builder *b)
{
    edges all = {0};
    bool ok = list_edges(b->set, &b->set->figures[b->index], &all) && put_stretches(b, &all);
    if (ok && !b->soft->path) ok = put_diagonals(b);
    if (ok && b->soft->bending > 0.0f) ok = put_bends(b, &all);
    BASE_ARRAY_FREE(&all);
    return ok;
}

static bool put_line_bend(soft_builder *b, uint32_t i)
{
    float one = vec3_length(offset(b->set, i - 1, i)), two = vec3_length(offset(b->set, i, i + 1));
    float length = 0.5f * (one + two);
    const struct soft_bond bond = {
        .vertices = {i - 1, i, i + 1, SOFT_NONE},
        .shares = {length / one, -length / one - length / two, length / two, 0.0f},
        .compliance = length * length * length / b->soft->bending,
        .kind = SOFT_BEND,
        .flag = SOFT_NONE};
    return BASE_PUSH(&b->set->bonds, bond);
}

static bool bind_rope(soft_builder *b)
{
    uint32_t end = (uint32_t)b->set->starts.count;
    bool ok = true;
    for (uint32_t i = b->first; i + 1 < end && ok; i++)
        ok = put_stretch(b, i, i + 1, 0.0f);
    for (uint32_t i = b->first + 1; i + 1 < end && ok && b->soft->bending > 0.0f; i++)
        ok = put_line_bend(b, i);
    return ok;
}

weir_result soft_build_bonds(soft_builder *b)
{
    size_t before = b->set->bonds.count;
    bool ok = true;
    if (b->soft->kind == SCENE_SOFT_BODY) WEIR_NEED(soft_bind_body(b));
    if (b->soft->kind == SCENE_SOFT_ROPE) ok = bind_rope(b);
    if (b->soft->kind == SCENE_SOFT_CLOTH) ok = bind_cloth(b);
    b->set->figures[b->index].bonds = (uint32_t)(b->set->bonds.count - before);
    return ok ? WEIR_OK : no_memory(b);
}

/* ---- colours -------------------------------------------------------------------------------- */

/* The lowest colour that none of its vertices has; SOFT_COLOURS when all are taken. */
static uint32_t take_colour(const struct soft_bond *bond, uint64_t *taken)
{
    const uint32_t v[SOFT_CORNERS] = {bond->vertices.x, bond->vertices.y, bond->vertices.z,
                                      bond->vertices.w};
    uint64_t used = 0;
    uint32_t colour = 0;
    for (uint32_t k = 0; k < SOFT_CORNERS; k++)
        if (v[k] != SOFT_NONE) used |= taken[v[k]];
    while (colour < SOFT_COLOURS && (used >> colour & 1u))
        colour++;
    for (uint32_t k = 0; k < SOFT_CORNERS && colour < SOFT_COLOURS; k++)
        if (v[k] != SOFT_NONE) taken[v[k]] |= UINT64_C(1) << colour;
    return colour;
}

/* Counts the bonds of each colour into colours[colour + 1]. */
static weir_result choose_colours(soft_set *set, const weir_log *log, uint64_t *taken, uint8_t *of)
{
    for (size_t i = 0; i < set->bonds.count; i++) {
        uint32_t v = set->bonds.items[i].vertices.x,
                 colour = take_colour(&set->bonds.items[i], taken);
        const scene_soft *soft = scene_soft_at(set->scene, set->owners.items[v]);
        if (colour == SOFT_COLOURS)
            return base_fail(log, WEIR_SCENE,
                             "%s:%d:%d: cloth '%s': more than %u constraints meet near vertex %u: "
                             "its mesh has vertices with too many edges; remesh it",
                             set->scene->source, soft->line, soft->column, soft->name, SOFT_COLOURS,
                             v - set->makes[set->owners.items[v]].first_vertex);
        of[i] = (uint8_t)colour;
        set->colours[colour + 1]++;
        if (colour >= set->colour_count) set->colour_count = colour + 1;
    }
    for (uint32_t c = 0; c < SOFT_COLOURS; c++)
        set->colours[c + 1] += set->colours[c];
    return WEIR_OK;
}

static void sort_bonds(soft_set *set, const uint8_t *of, struct soft_bond *sorted)
{
    uint32_t next[SOFT_COLOURS];
    memcpy(next, set->colours, sizeof next);
    for (size_t i = 0; i < set->bonds.count; i++)
        sorted[next[of[i]]++] = set->bonds.items[i];
    if (set->bonds.count) memcpy(set->bonds.items, sorted, set->bonds.count * sizeof *sorted);
}

static bool put_numbers(soft_numbers *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!BASE_PUSH(to, 0u)) return false;
    return true;
}

/* Of each vertex, in the order of the bonds. */
static bool list_entries(soft_set *set)
{
    size_t vertices = set->starts.count, n = 0;
    if (!put_numbers(&set->firsts, vertices + 2)) return false;
    uint32_t *first = set->firsts.items;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < set->bonds.count; i++) {
            const uint32_t *v = &set->bonds.items[i].vertices.x;
            for (uint32_t k = 0; k < SOFT_CORNERS; k++) {
                if (v[k] == SOFT_NONE) continue;
                if (pass == 0) n++, first[v[k] + 2]++;
                if (pass == 1) set->entries.items[first[v[k] + 1]++] = SOFT_CORNERS * i + k;
            }
        }
        for (size_t i = 0; i < vertices && pass == 0; i++)
            first[i + 2] += first[i + 1];
        if (pass == 0 && !put_numbers(&set->entries, n)) return false;
    }
    return true;
}

weir_result soft_colour(soft_set *set, const weir_log *log)
{
    size_t bonds = set->bonds.count;
    if (bonds == 0) return WEIR_OK;
    uint64_t *taken = base_alloc(set->starts.count, sizeof *taken);
    uint8_t *of = base_alloc(bonds, 1);
    struct soft_bond *sorted = base_alloc(bonds, sizeof *sorted);
    weir_result result = WEIR_MEMORY;
    if (taken && of && sorted) result = choose_colours(set, log, taken, of);
    if (result == WEIR_OK) sort_bonds(set, of, sorted);
    if (result == WEIR_OK && !list_entries(set)) result = WEIR_MEMORY;
    if (result == WEIR_MEMORY) base_log(log, WEIR_LOG_ERROR, "no memory for constraints");
    base_free(taken);
    base_free(of);
    base_free(sorted);
    return result;
}
