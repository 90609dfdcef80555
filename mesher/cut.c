/* Cutting a surface apart where it touches itself: Gueziec, Taubin, Lazarus, Horn, "Cutting and
 * stitching: converting sets of polygons to manifold surfaces" (2001), with the triangles around an
 * edge paired across the inside, so that each wedge of the body keeps its two faces. */
#include "surface_internal.h"

/* Most triangles of an edge that are paired by their angle; further ones stay unpaired. */
enum { EDGE_USES_MAX = 32 };

typedef struct cutter {
    mesher_surface *surface;
    surface_uses uses;
    uint32_t *fan;  /* [3 * triangle_count] sets of corners that stay one vertex */
    uint32_t *made; /* [3 * triangle_count] by a set's mark: its vertex */
} cutter;

/* ---- triangles that cancel each other ------------------------------------------------------- */

static uint32_t third(const mesher_surface *surface, const surface_use *use)
{
    return surface->index[surface_prev(use->corner)];
}

static bool is_forward(const mesher_surface *surface, const surface_use *use)
{
    return surface->index[use->corner] != use->high;
}

static void remove_triangle(mesher_surface *surface, uint32_t corner)
{
    uint32_t *c = surface->index + corner - corner % 3;
    c[0] = c[1] = c[2] = SURFACE_NONE;
}

static bool is_removed(const mesher_surface *surface, const surface_use *use)
{
    return surface->index[use->corner] == SURFACE_NONE;
}

/* Two triangles of the same vertices, wound against each other, hold no volume. */
static void cancel_on_edge(mesher_surface *surface, const surface_edge *edge)
{
    const surface_use *uses = edge->uses;
    for (uint32_t i = 0; i < edge->count; ++i)
        for (uint32_t k = i + 1; k < edge->count; ++k) {
            if (is_removed(surface, &uses[i]) || is_removed(surface, &uses[k])) continue;
            if (third(surface, &uses[i]) != third(surface, &uses[k]) ||
                is_forward(surface, &uses[i]) == is_forward(surface, &uses[k]))
                continue;
            remove_triangle(surface, uses[i].corner);
            remove_triangle(surface, uses[k].corner);
        }
}

static weir_result cancel(const weir_log *log, mesher_surface *surface)
{
    surface_uses uses;
    WEIR_NEED(surface_uses_make(log, surface, &uses));
    for (surface_edge edge = {0}; surface_next_edge(&uses, &edge);)
        if (edge.count <= EDGE_USES_MAX) cancel_on_edge(surface, &edge);
    for (uint32_t t = 0; t < surface->triangle_count; ++t)
        if (surface_repeats(surface->index + 3 * (size_t)t)) remove_triangle(surface, 3 * t);
    surface_uses_free(&uses);
    surface_drop_removed(surface);
    return WEIR_OK;
}

/* ---- pairs across the inside ---------------------------------------------------------------- */

/* The angle of a triangle around the edge from `low` to `high`, counter-clockwise. */
static double angle_of(const mesher_surface *surface, uint32_t low, const surface_use *use,
                       vec3 ahead, vec3 across)
{
    const vec3 axis = vec3_sub(surface->position[use->high], surface->position[low]);
    const vec3 offset = vec3_sub(surface->position[third(surface, use)], surface->position[low]);
    const float length = vec3_length(axis);
    const vec3 unit = length > 0 ? vec3_scale(axis, 1 / length) : (vec3){0, 0, 1};
    const vec3 flat = vec3_sub(offset, vec3_scale(unit, vec3_dot(offset, unit)));
    return atan2((double)vec3_dot(flat, across), (double)vec3_dot(flat, ahead));
}

static void make_frame(vec3 axis, vec3 *ahead, vec3 *across)
{
    const float x = fabsf(axis.x), y = fabsf(axis.y), z = fabsf(axis.z);
    const vec3 other = x <= y && x <= z ? (vec3){1, 0, 0}
                       : y <= z         ? (vec3){0, 1, 0}
                                        : (vec3){0, 0, 1};
    *ahead = vec3_cross(axis, other);
    const float length = vec3_length(axis);
    *across = length > 0 ? vec3_scale(vec3_cross(axis, *ahead), 1 / length) : (vec3){0, 0, 1};
}

static void join(cutter *c, uint32_t low, const surface_use *a, const surface_use *b)
{
    const uint32_t *index = c->surface->index;
    const uint32_t ah = a->corner, bh = b->corner;
    const uint32_t an = surface_next(ah), bn = surface_next(bh);
    surface_set_join(c->fan, index[ah] == low ? ah : an, index[bh] == low ? bh : bn);
    surface_set_join(c->fan, index[ah] == low ? an : ah, index[bh] == low ? bn : bh);
}

/* A forward triangle's normal points to greater angles, so its inside lies at lesser ones: it pairs
 * with the first free backward triangle there. partner[i]: of a forward use, SURFACE_NONE: none.
 * Returns the number of pairs. */
static uint32_t find_pairs(const cutter *c, const surface_edge *edge, uint32_t *partner)
{
    const surface_use *uses = edge->uses;
    const uint32_t count = edge->count;
    double angle[EDGE_USES_MAX] = {0};
    bool paired[EDGE_USES_MAX] = {false};
    uint32_t pairs = 0;
    vec3 ahead, across;
    make_frame(vec3_sub(c->surface->position[edge->high], c->surface->position[edge->low]), &ahead,
               &across);
    for (uint32_t i = 0; i < count; ++i)
        angle[i] = angle_of(c->surface, edge->low, &uses[i], ahead, across);
    for (uint32_t i = 0; i < count; ++i) {
        double least = INFINITY;
        partner[i] = SURFACE_NONE;
        for (uint32_t k = 0; is_forward(c->surface, &uses[i]) && k < count; ++k) {
            if (paired[k] || is_forward(c->surface, &uses[k])) continue;
            double turn = angle[i] - angle[k];
            if (turn <= 0) turn += 6.283185307179586;
            if (turn >= least) continue;
            least = turn;
            partner[i] = k;
        }
        if (partner[i] == SURFACE_NONE) continue;
        paired[partner[i]] = true;
        pairs++;
    }
    return pairs;
}

static void join_pairs(cutter *c, surface_edge edge)
{
    uint32_t partner[EDGE_USES_MAX];
    if (edge.count > EDGE_USES_MAX) edge.count = EDGE_USES_MAX;
    find_pairs(c, &edge, partner);
    for (uint32_t i = 0; i < edge.count; ++i)
        if (partner[i] != SURFACE_NONE) join(c, edge.low, &edge.uses[i], &edge.uses[partner[i]]);
}

static void join_edges(cutter *c)
{
    for (surface_edge edge = {0}; surface_next_edge(&c->uses, &edge);) {
        if (edge.count == 2)
            join(c, edge.low, &edge.uses[0], &edge.uses[1]);
        else if (edge.count > 2)
            join_pairs(c, edge);
    }
}

/* ---- new vertices --------------------------------------------------------------------------- */

/* The vertex of each set of corners in `made`; returns how many must be added. */
static uint32_t number_fans(cutter *c, bool *used)
{
    mesher_surface *surface = c->surface;
    uint32_t added = 0;
    for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h) {
        const uint32_t v = surface->index[h];
        if (surface_set_of(c->fan, h) != h) continue;
        c->made[h] = used[v] ? surface->vertex_count + added++ : v;
        used[v] = true;
    }
    return added;
}

static weir_result split_vertices(const weir_log *log, cutter *c, bool *used, uint32_t *cuts)
{
    mesher_surface *surface = c->surface;
    const uint32_t added = number_fans(c, used);
    if (!surface_resize_vertices(surface, (size_t)surface->vertex_count + added))
        return base_fail(log, WEIR_MEMORY, "no memory to cut a mesh at %u vertices", added);
    for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h) {
        const uint32_t from = surface->index[h], to = c->made[surface_set_of(c->fan, h)];
        if (to != from) surface_copy_vertex(surface, to, from);
        surface->index[h] = to;
    }
    surface->vertex_count += added;
    *cuts += added;
    return WEIR_OK;
}

/* ---- edges that still meet ------------------------------------------------------------------ */

/* Two pairs of triangles on one edge whose ends hang together elsewhere: all pairs but the first
 * get a vertex of their own in the middle of the edge. */
typedef struct splitter {
    mesher_surface *surface;
    uint32_t vertices, triangles; /* with those added */
    uint32_t room_vertices, room_triangles;
} splitter;

static bool make_room(splitter *s)
{
    mesher_surface *surface = s->surface;
    if (s->vertices == s->room_vertices) {
        s->room_vertices += 64 + s->room_vertices / 8;
        if (!surface_resize_vertices(surface, s->room_vertices)) return false;
    }
    if (s->triangles + 2 > s->room_triangles) {
        s->room_triangles += 64 + s->room_triangles / 8;
        return surface_resize((void **)&surface->index, s->room_triangles,
                              3 * sizeof *surface->index);
    }
    return true;
}

/* (a, b, c) on half-edge h becomes (a, m, c), and (m, b, c) is added. */
static void split_triangle(splitter *s, uint32_t h, uint32_t m)
{
    uint32_t *index = s->surface->index, *added = index + 3 * (size_t)s->triangles++;
    added[0] = m;
    added[1] = index[surface_next(h)];
    added[2] = index[surface_prev(h)];
    index[surface_next(h)] = m;
}

/* Each new vertex has its own share of the edge, so that no two coincide. */
static bool split_edge(cutter *c, splitter *s, const surface_edge *edge)
{
    uint32_t partner[EDGE_USES_MAX];
    const uint32_t pairs = find_pairs(c, edge, partner);
    uint32_t done = 0;
    for (uint32_t i = 0; i < edge->count; ++i) {
        if (partner[i] == SURFACE_NONE || done++ == 0) continue;
        if (!make_room(s)) return false;
        const uint32_t m = s->vertices++;
        surface_copy_vertex(s->surface, m, edge->low);
        surface_mix(s->surface, m, edge->high, (float)(done - 1) / (float)pairs);
        split_triangle(s, edge->uses[i].corner, m);
        split_triangle(s, edge->uses[partner[i]].corner, m);
    }
    return true;
}

/* A split moves the far ends of two half-edges: later edges of those triangles are found anew. */
static weir_result split_edges(const weir_log *log, cutter *c, bool *again)
{
    mesher_surface *surface = c->surface;
    bool *touched = base_alloc(surface->triangle_count, sizeof *touched);
    splitter s = {surface, surface->vertex_count, surface->triangle_count, surface->vertex_count,
                  surface->triangle_count};
    bool ready = touched != NULL;
    *again = false;
    for (surface_edge edge = {0}; ready && surface_next_edge(&c->uses, &edge);) {
        if (edge.count <= 2 || edge.count > EDGE_USES_MAX) continue;
        bool fresh = true;
        for (uint32_t k = 0; k < edge.count; ++k)
            fresh = fresh && !touched[edge.uses[k].corner / 3];
        *again = true;
        if (!fresh) continue;
        for (uint32_t k = 0; k < edge.count; ++k)
            touched[edge.uses[k].corner / 3] = true;
        ready = split_edge(c, &s, &edge);
    }
    surface->vertex_count = s.vertices;
    surface->triangle_count = s.triangles;
    base_free(touched);
    if (!ready) return base_fail(log, WEIR_MEMORY, "no memory to cut a mesh");
    return WEIR_OK;
}

/* ---- the door ------------------------------------------------------------------------------- */

static weir_result part_fans(const weir_log *log, cutter *c, uint32_t *cuts)
{
    mesher_surface *surface = c->surface;
    weir_result result = WEIR_OK;
    bool *used = base_alloc(surface->vertex_count, sizeof *used);
    c->fan = base_alloc(surface->triangle_count, 3 * sizeof *c->fan);
    c->made = base_alloc(surface->triangle_count, 3 * sizeof *c->made);
    if (!used || !c->fan || !c->made)
        WEIR_TRY(base_fail(log, WEIR_MEMORY, "no memory to cut a mesh"));
    for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h)
        c->fan[h] = h;
    join_edges(c);
    WEIR_TRY(split_vertices(log, c, used, cuts));
fail:
    base_free(used);
    base_free(c->fan);
    base_free(c->made);
    return result;
}

weir_result surface_cut(const weir_log *log, mesher_surface *surface, uint32_t *cuts)
{
    enum { ROUNDS = 8 };
    cutter c = {.surface = surface};
    bool again = true;
    *cuts = 0;
    weir_result result = WEIR_OK;
    WEIR_TRY(cancel(log, surface));
    for (int round = 0; again && round < ROUNDS; ++round) {
        WEIR_TRY(surface_uses_make(log, surface, &c.uses));
        WEIR_TRY(part_fans(log, &c, cuts));
        surface_uses_free(&c.uses);
        WEIR_TRY(surface_uses_make(log, surface, &c.uses));
        WEIR_TRY(split_edges(log, &c, &again));
        surface_uses_free(&c.uses);
    }
fail:
    surface_uses_free(&c.uses);
    return result;
}
