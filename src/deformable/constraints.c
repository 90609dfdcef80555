/* Constraints of cloths and ropes.
 *
 * Stretch: an edge keeps its length. Its compliance is that of a strip whose width is the area of
 * the edge's triangles over its length (docs/equations.md). Bending of a sheet: over each edge
 * between two triangles, linear in the vertices (Bergou, Wardetzky, Harmon, Zorin and Grinspun
 * 2006). Bending of a line: the second difference. */
#include "deformable_internal.h"

#include <stdlib.h>

/* An edge of one triangle. */
typedef struct edge {
    uint32_t low, high; /* vertices */
    /* vertex of the triangle; DEFORMABLE_NONE: the edge belongs to no triangle */
    uint32_t opposite;
    float area; /* m2, of the triangle; determines the edge's stiffness */
} edge;

typedef BASE_ARRAY(edge) edges;

static weir_result fail_memory(const deformable_builder *b)
{
    return base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for the constraints of '%s'",
                     b->deformable->name);
}

static int compare_edges(const void *a, const void *b)
{
    const edge *e = a, *f = b;
    if (e->low != f->low) return e->low < f->low ? -1 : 1;
    if (e->high != f->high) return e->high < f->high ? -1 : 1;
    return e->opposite < f->opposite ? -1 : e->opposite > f->opposite;
}

static vec3 initial_offset(const deformable_set *set, uint32_t from, uint32_t to)
{
    return vec3_sub(deformable_initial_position(set, to), deformable_initial_position(set, from));
}

static float triangle_area(const deformable_set *set, uint32_t i, uint32_t j, uint32_t k)
{
    return 0.5f * vec3_length(vec3_cross(initial_offset(set, i, j), initial_offset(set, i, k)));
}

static bool append_edge(edges *all, uint32_t i, uint32_t j, uint32_t opposite, float area)
{
    edge e = {i < j ? i : j, i < j ? j : i, opposite, area};
    return BASE_ARRAY_PUSH(all, e);
}

static bool list_edges(const deformable_set *set, const deformable_info *f, edges *all)
{
    bool ok = true;
    for (uint32_t t = 0; t < f->triangle_count && ok; t++) {
        const uint32_t *local = &set->triangles.items[3 * (f->first_triangle + t)];
        const uint32_t first = f->first_vertex;
        const uint32_t v[3] = {first + local[0], first + local[1], first + local[2]};
        float area = triangle_area(set, v[0], v[1], v[2]);
        for (int k = 0; k < 3 && ok; k++)
            ok = append_edge(all, v[k], v[(k + 1) % 3], v[(k + 2) % 3], area);
    }
    if (ok && all->count) qsort(all->items, all->count, sizeof(edge), compare_edges);
    return ok;
}

/* ---- stretch -------------------------------------------------------------------------------- */

static bool append_stretch(deformable_builder *b, uint32_t i, uint32_t j, float area)
{
    float length = vec3_length(initial_offset(b->set, i, j)), stiffness = b->deformable->stiffness;
    float compliance = stiffness > 0.0f ? length * length / (stiffness * area) : 0.0f;
    if (b->deformable->kind == SCENE_DEFORMABLE_ROPE && stiffness > 0.0f)
        compliance = length / stiffness;
    if (b->deformable->pbd_stiffness > 0.0f) compliance = -b->deformable->pbd_stiffness;
    const struct deformable_constraint constraint = {
        .vertices = {i, j, DEFORMABLE_NONE, DEFORMABLE_NONE},
        .coefficients = {1.0f, -1.0f, 0.0f, 0.0f},
        .rest = length,
        .compliance = compliance,
        .kind = DEFORMABLE_STRETCH,
        .tear_flag = DEFORMABLE_NONE};
    return BASE_ARRAY_PUSH(&b->set->constraints, constraint);
}

/* Appends stretch constraints along those diagonals of a grid's cells that are not edges. */
static bool append_diagonals(deformable_builder *b)
{
    bool ok = true;
    const uint32_t *v = &b->set->triangles.items[3 * b->set->info[b->index].first_triangle];
    uint32_t count = b->set->info[b->index].triangle_count;
    for (uint32_t t = 0; t + 1 < count && ok; t += 2, v += 6) {
        bool even = v[0] == v[3]; /* both triangles have the first corner of the cell */
        uint32_t i = b->first + (even ? v[1] : v[0]), j = b->first + (even ? v[5] : v[4]);
        ok = append_stretch(b, i, j,
                            2.0f * triangle_area(b->set, i, j, b->first + (even ? v[2] : v[1])));
    }
    return ok;
}

/* ---- bending -------------------------------------------------------------------------------- */

/* Returns the cotangent of the angle at `apex` between `i` and `j`. */
static float cotangent(const deformable_set *set, uint32_t apex, uint32_t i, uint32_t j)
{
    vec3 a = initial_offset(set, apex, i), c = initial_offset(set, apex, j);
    return vec3_dot(a, c) / vec3_length(vec3_cross(a, c));
}

static bool append_bend(deformable_builder *b, const edge *one, const edge *two)
{
    const deformable_set *set = b->set;
    uint32_t i = one->low, j = one->high, p = one->opposite, q = two->opposite;
    float ip = cotangent(set, i, j, p), iq = cotangent(set, i, j, q);
    float jp = cotangent(set, j, i, p), jq = cotangent(set, j, i, q);
    const struct deformable_constraint constraint = {
        .vertices = {i, j, p, q},
        .coefficients = {jp + jq, ip + iq, -(ip + jp), -(iq + jq)},
        .compliance = (one->area + two->area) / (3.0f * b->deformable->bending_stiffness),
        .kind = DEFORMABLE_BEND,
        .tear_flag = DEFORMABLE_NONE};
    return BASE_ARRAY_PUSH(&b->set->constraints, constraint);
}

static bool append_bends(deformable_builder *b, const edges *all)
{
    bool ok = true;
    for (size_t i = 0; i + 1 < all->count && ok; i++) {
        const edge *e = &all->items[i];
        if (e[0].low == e[1].low && e[0].high == e[1].high) ok = append_bend(b, &e[0], &e[1]);
    }
    return ok;
}

/* ---- a cloth, a rope ------------------------------------------------------------------------- */

static bool append_stretches(deformable_builder *b, const edges *all)
{
    bool ok = true;
    for (size_t i = 0; i < all->count && ok;) {
        const edge *e = &all->items[i];
        float area = 0.0f;
        for (; i < all->count && all->items[i].low == e->low && all->items[i].high == e->high; i++)
            area += all->items[i].area;
        ok = append_stretch(b, e->low, e->high, area);
    }
    return ok;
}

static bool build_cloth_constraints(deformable_builder *b)
{
    edges all = {0};
    bool ok = list_edges(b->set, &b->set->info[b->index], &all) && append_stretches(b, &all);
    if (ok && !b->deformable->path) ok = append_diagonals(b);
    if (ok && b->deformable->bending_stiffness > 0.0f) ok = append_bends(b, &all);
    BASE_ARRAY_FREE(&all);
    return ok;
}

static bool append_rope_bend(deformable_builder *b, uint32_t i)
{
    float one = vec3_length(initial_offset(b->set, i - 1, i)),
          two = vec3_length(initial_offset(b->set, i, i + 1));
    float length = 0.5f * (one + two);
    const struct deformable_constraint constraint = {
        .vertices = {i - 1, i, i + 1, DEFORMABLE_NONE},
        .coefficients = {length / one, -length / one - length / two, length / two, 0.0f},
        .compliance = length * length * length / b->deformable->bending_stiffness,
        .kind = DEFORMABLE_BEND,
        .tear_flag = DEFORMABLE_NONE};
    return BASE_ARRAY_PUSH(&b->set->constraints, constraint);
}

static bool build_rope_constraints(deformable_builder *b)
{
    uint32_t end = (uint32_t)b->set->initial_states.count;
    bool ok = true;
    for (uint32_t i = b->first; i + 1 < end && ok; i++)
        ok = append_stretch(b, i, i + 1, 0.0f);
    for (uint32_t i = b->first + 1; i + 1 < end && ok && b->deformable->bending_stiffness > 0.0f;
         i++)
        ok = append_rope_bend(b, i);
    return ok;
}

weir_result deformable_build_constraints(deformable_builder *b)
{
    size_t before = b->set->constraints.count;
    bool ok = true;
    if (b->deformable->kind == SCENE_DEFORMABLE_SOFT_BODY)
        WEIR_RETURN_IF_ERROR(soft_body_build_constraints(b));
    if (b->deformable->kind == SCENE_DEFORMABLE_ROPE) ok = build_rope_constraints(b);
    if (b->deformable->kind == SCENE_DEFORMABLE_CLOTH) ok = build_cloth_constraints(b);
    b->set->info[b->index].constraints = (uint32_t)(b->set->constraints.count - before);
    return ok ? WEIR_OK : fail_memory(b);
}

/* ---- colours -------------------------------------------------------------------------------- */

/* Returns the lowest colour that no constraint of its vertices has; DEFORMABLE_MAX_COLOURS if all
 * are taken. */
static uint32_t choose_colour(const struct deformable_constraint *constraint, uint64_t *taken)
{
    const uint32_t v[DEFORMABLE_MAX_VERTICES] = {constraint->vertices.x, constraint->vertices.y,
                                                 constraint->vertices.z, constraint->vertices.w};
    uint64_t used = 0;
    uint32_t colour = 0;
    for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES; k++)
        if (v[k] != DEFORMABLE_NONE) used |= taken[v[k]];
    while (colour < DEFORMABLE_MAX_COLOURS && (used >> colour & 1u))
        colour++;
    for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES && colour < DEFORMABLE_MAX_COLOURS; k++)
        if (v[k] != DEFORMABLE_NONE) taken[v[k]] |= UINT64_C(1) << colour;
    return colour;
}

/* Assigns colours. colours[colour + 1] first receives the number of constraints of a colour, and
 * then, summed up, the first constraint of the next. */
static weir_result colour_constraints(deformable_set *set, const weir_log *log, uint64_t *taken,
                                      uint8_t *of)
{
    for (size_t i = 0; i < set->constraints.count; i++) {
        uint32_t v = set->constraints.items[i].vertices.x,
                 colour = choose_colour(&set->constraints.items[i], taken);
        const scene_deformable *deformable = scene_deformable_at(set->scene, set->owners.items[v]);
        if (colour == DEFORMABLE_MAX_COLOURS)
            return base_fail(log, WEIR_ERROR_SCENE,
                             "%s:%d:%d: cloth '%s': more than %u constraints share vertices near "
                             "vertex %u: its mesh has vertices with too many edges; remesh it",
                             set->scene->source, deformable->line, deformable->column,
                             deformable->name, DEFORMABLE_MAX_COLOURS,
                             v - set->properties[set->owners.items[v]].first_vertex);
        of[i] = (uint8_t)colour;
        set->colours[colour + 1]++;
        if (colour >= set->colour_count) set->colour_count = colour + 1;
    }
    for (uint32_t c = 0; c < DEFORMABLE_MAX_COLOURS; c++)
        set->colours[c + 1] += set->colours[c];
    return WEIR_OK;
}

static void sort_by_colour(deformable_set *set, const uint8_t *of,
                           struct deformable_constraint *sorted)
{
    uint32_t next[DEFORMABLE_MAX_COLOURS];
    memcpy(next, set->colours, sizeof next);
    for (size_t i = 0; i < set->constraints.count; i++)
        sorted[next[of[i]]++] = set->constraints.items[i];
    if (set->constraints.count)
        memcpy(set->constraints.items, sorted, set->constraints.count * sizeof *sorted);
}

static bool append_zeros(deformable_index_array *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!BASE_ARRAY_PUSH(to, 0u)) return false;
    return true;
}

/* Lists the constraints of each vertex, in the order of the constraints. */
static bool list_vertex_constraints(deformable_set *set)
{
    size_t vertices = set->initial_states.count, n = 0;
    if (!append_zeros(&set->constraint_offsets, vertices + 2)) return false;
    uint32_t *first = set->constraint_offsets.items;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < set->constraints.count; i++) {
            const uint32_t *v = &set->constraints.items[i].vertices.x;
            for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES; k++) {
                if (v[k] == DEFORMABLE_NONE) continue;
                if (pass == 0) n++, first[v[k] + 2]++;
                if (pass == 1)
                    set->constraint_entries.items[first[v[k] + 1]++] =
                        DEFORMABLE_MAX_VERTICES * i + k;
            }
        }
        for (size_t i = 0; i < vertices && pass == 0; i++)
            first[i + 2] += first[i + 1];
        if (pass == 0 && !append_zeros(&set->constraint_entries, n)) return false;
    }
    return true;
}

weir_result deformable_colour_constraints(deformable_set *set, const weir_log *log)
{
    size_t constraints = set->constraints.count;
    if (constraints == 0) return WEIR_OK;
    uint64_t *taken = base_alloc(set->initial_states.count, sizeof *taken);
    uint8_t *of = base_alloc(constraints, 1);
    struct deformable_constraint *sorted = base_alloc(constraints, sizeof *sorted);
    weir_result result = WEIR_ERROR_MEMORY;
    if (taken && of && sorted) result = colour_constraints(set, log, taken, of);
    if (result == WEIR_OK) sort_by_colour(set, of, sorted);
    if (result == WEIR_OK && !list_vertex_constraints(set)) result = WEIR_ERROR_MEMORY;
    if (result == WEIR_ERROR_MEMORY)
        base_log(log, WEIR_LOG_ERROR, "not enough memory for constraints");
    base_free(taken);
    base_free(of);
    base_free(sorted);
    return result;
}
