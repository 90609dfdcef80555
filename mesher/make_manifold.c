/* Cuts a surface where it touches itself: Gueziec, Taubin, Lazarus, Horn, "Cutting and
 * stitching: converting sets of polygons to manifold surfaces" (2001), with the triangles around
 * an edge paired across the inside, so that each wedge of the body keeps its two faces. */
#include "surface_internal.h"

/* Maximum number of triangles of an edge that are paired by angle; further ones stay unpaired. */
enum { EDGE_USES_MAX = 32 };

typedef struct manifold_cutter {
    mesher_surface *surface;
    surface_edge_uses uses;
    uint32_t *fan;        /* [3 * triangle_count] union-find of corners that stay one vertex */
    uint32_t *fan_vertex; /* [3 * triangle_count] vertex of a set, by its representative */
} manifold_cutter;

/* ---- triangles that cancel each other ------------------------------------------------------- */

static uint32_t opposite_vertex(const mesher_surface *surface, const surface_edge_use *use)
{
    return surface->index[surface_prev_corner(use->corner)];
}

static bool is_forward(const mesher_surface *surface, const surface_edge_use *use)
{
    return surface->index[use->corner] != use->high;
}

static void remove_triangle(mesher_surface *surface, uint32_t corner)
{
    uint32_t *c = surface->index + corner - corner % 3;
    c[0] = c[1] = c[2] = SURFACE_NO_INDEX;
}

static bool is_removed(const mesher_surface *surface, const surface_edge_use *use)
{
    return surface->index[use->corner] == SURFACE_NO_INDEX;
}

/* Removes pairs of triangles with the same vertices and opposite winding, which enclose no
 * volume. */
static void cancel_opposite_pair(mesher_surface *surface, const surface_edge *edge)
{
    const surface_edge_use *uses = edge->uses;
    for (uint32_t i = 0; i < edge->count; ++i)
        for (uint32_t k = i + 1; k < edge->count; ++k) {
            if (is_removed(surface, &uses[i]) || is_removed(surface, &uses[k])) continue;
            if (opposite_vertex(surface, &uses[i]) != opposite_vertex(surface, &uses[k]) ||
                is_forward(surface, &uses[i]) == is_forward(surface, &uses[k]))
                continue;
            remove_triangle(surface, uses[i].corner);
            remove_triangle(surface, uses[k].corner);
        }
}

static weir_result cancel_opposite_triangles(const weir_log *log, mesher_surface *surface)
{
    surface_edge_uses uses;
    WEIR_RETURN_IF_ERROR(surface_edge_uses_create(log, surface, &uses));
    for (surface_edge edge = {0}; surface_next_edge(&uses, &edge);)
        if (edge.count <= EDGE_USES_MAX) cancel_opposite_pair(surface, &edge);
    for (uint32_t t = 0; t < surface->triangle_count; ++t)
        if (surface_repeats_vertex(surface->index + 3 * (size_t)t)) remove_triangle(surface, 3 * t);
    surface_edge_uses_free(&uses);
    surface_erase_removed(surface);
    return WEIR_OK;
}

/* ---- pairs across the inside ---------------------------------------------------------------- */

/* Returns the angle of a triangle around the edge from `low` to `high`, counter-clockwise. */
static double dihedral_angle(const mesher_surface *surface, uint32_t low,
                             const surface_edge_use *use, vec3 axis_u, vec3 axis_v)
{
    const vec3 axis = vec3_sub(surface->position[use->high], surface->position[low]);
    const vec3 offset =
        vec3_sub(surface->position[opposite_vertex(surface, use)], surface->position[low]);
    const float length = vec3_length(axis);
    const vec3 unit = length > 0 ? vec3_scale(axis, 1 / length) : (vec3){0, 0, 1};
    const vec3 flat = vec3_sub(offset, vec3_scale(unit, vec3_dot(offset, unit)));
    return atan2((double)vec3_dot(flat, axis_v), (double)vec3_dot(flat, axis_u));
}

static void make_edge_basis(vec3 axis, vec3 *axis_u, vec3 *axis_v)
{
    const float x = fabsf(axis.x), y = fabsf(axis.y), z = fabsf(axis.z);
    const vec3 other = x <= y && x <= z ? (vec3){1, 0, 0}
                       : y <= z         ? (vec3){0, 1, 0}
                                        : (vec3){0, 0, 1};
    *axis_u = vec3_cross(axis, other);
    const float length = vec3_length(axis);
    *axis_v = length > 0 ? vec3_scale(vec3_cross(axis, *axis_u), 1 / length) : (vec3){0, 0, 1};
}

static void join_corners(manifold_cutter *c, uint32_t low, const surface_edge_use *a,
                         const surface_edge_use *b)
{
    const uint32_t *index = c->surface->index;
    const uint32_t ah = a->corner, bh = b->corner;
    const uint32_t an = surface_next_corner(ah), bn = surface_next_corner(bh);
    union_find_join(c->fan, index[ah] == low ? ah : an, index[bh] == low ? bh : bn);
    union_find_join(c->fan, index[ah] == low ? an : ah, index[bh] == low ? bn : bh);
}

/* Pairs the triangles of an edge. A forward triangle's normal points to larger angles, so its
 * inside lies at smaller ones: it pairs with the first free backward triangle there. partner[i],
 * for a forward use: its partner, or SURFACE_NO_INDEX. Returns the number of pairs. */
static uint32_t find_pairs(const manifold_cutter *c, const surface_edge *edge, uint32_t *partner)
{
    const surface_edge_use *uses = edge->uses;
    const uint32_t count = edge->count;
    double angle[EDGE_USES_MAX] = {0};
    bool paired[EDGE_USES_MAX] = {false};
    uint32_t pairs = 0;
    vec3 axis_u, axis_v;
    make_edge_basis(vec3_sub(c->surface->position[edge->high], c->surface->position[edge->low]),
                    &axis_u, &axis_v);
    for (uint32_t i = 0; i < count; ++i)
        angle[i] = dihedral_angle(c->surface, edge->low, &uses[i], axis_u, axis_v);
    for (uint32_t i = 0; i < count; ++i) {
        double least = INFINITY;
        partner[i] = SURFACE_NO_INDEX;
        for (uint32_t k = 0; is_forward(c->surface, &uses[i]) && k < count; ++k) {
            if (paired[k] || is_forward(c->surface, &uses[k])) continue;
            double turn = angle[i] - angle[k];
            if (turn <= 0) turn += 6.283185307179586;
            if (turn >= least) continue;
            least = turn;
            partner[i] = k;
        }
        if (partner[i] == SURFACE_NO_INDEX) continue;
        paired[partner[i]] = true;
        pairs++;
    }
    return pairs;
}

static void join_fans_of_pairs(manifold_cutter *c, surface_edge edge)
{
    uint32_t partner[EDGE_USES_MAX];
    if (edge.count > EDGE_USES_MAX) edge.count = EDGE_USES_MAX;
    find_pairs(c, &edge, partner);
    for (uint32_t i = 0; i < edge.count; ++i)
        if (partner[i] != SURFACE_NO_INDEX)
            join_corners(c, edge.low, &edge.uses[i], &edge.uses[partner[i]]);
}

static void join_fans_across_edges(manifold_cutter *c)
{
    for (surface_edge edge = {0}; surface_next_edge(&c->uses, &edge);) {
        if (edge.count == 2)
            join_corners(c, edge.low, &edge.uses[0], &edge.uses[1]);
        else if (edge.count > 2)
            join_fans_of_pairs(c, edge);
    }
}

/* ---- new vertices --------------------------------------------------------------------------- */

/* Chooses the vertex of each set of corners, in `fan_vertex`. Returns the number of vertices to
 * add. */
static uint32_t assign_fan_vertices(manifold_cutter *c, bool *used)
{
    mesher_surface *surface = c->surface;
    uint32_t added = 0;
    for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h) {
        const uint32_t v = surface->index[h];
        if (union_find_root(c->fan, h) != h) continue;
        c->fan_vertex[h] = used[v] ? surface->vertex_count + added++ : v;
        used[v] = true;
    }
    return added;
}

static weir_result split_vertices(const weir_log *log, manifold_cutter *c, bool *used,
                                  uint32_t *cuts)
{
    mesher_surface *surface = c->surface;
    const uint32_t added = assign_fan_vertices(c, used);
    if (!surface_resize_vertices(surface, (size_t)surface->vertex_count + added))
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to cut a mesh at %u vertices",
                         added);
    for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h) {
        const uint32_t from = surface->index[h], to = c->fan_vertex[union_find_root(c->fan, h)];
        if (to != from) surface_copy_vertex(surface, to, from);
        surface->index[h] = to;
    }
    surface->vertex_count += added;
    *cuts += added;
    return WEIR_OK;
}

/* ---- edges that still touch ----------------------------------------------------------------- */

/* Splits edges that two pairs of triangles share and whose ends are connected elsewhere: each
 * pair but the first gets a vertex of its own on the edge. */
typedef struct edge_splitter {
    mesher_surface *surface;
    uint32_t vertices, triangles; /* including those added */
    uint32_t vertex_capacity, triangle_capacity;
} edge_splitter;

static bool grow_arrays(edge_splitter *s)
{
    mesher_surface *surface = s->surface;
    if (s->vertices == s->vertex_capacity) {
        s->vertex_capacity += 64 + s->vertex_capacity / 8;
        if (!surface_resize_vertices(surface, s->vertex_capacity)) return false;
    }
    if (s->triangles + 2 > s->triangle_capacity) {
        s->triangle_capacity += 64 + s->triangle_capacity / 8;
        return surface_resize_array((void **)&surface->index, s->triangle_capacity,
                                    3 * sizeof *surface->index);
    }
    return true;
}

/* Splits triangle (a, b, c) at half-edge h into (a, m, c) and a new triangle (m, b, c). */
static void split_triangle(edge_splitter *s, uint32_t h, uint32_t m)
{
    uint32_t *index = s->surface->index, *added = index + 3 * (size_t)s->triangles++;
    added[0] = m;
    added[1] = index[surface_next_corner(h)];
    added[2] = index[surface_prev_corner(h)];
    index[surface_next_corner(h)] = m;
}

/* Splits an edge. Each new vertex has its own position on the edge, so that no two coincide. */
static bool split_edge(manifold_cutter *c, edge_splitter *s, const surface_edge *edge)
{
    uint32_t partner[EDGE_USES_MAX];
    const uint32_t pairs = find_pairs(c, edge, partner);
    uint32_t done = 0;
    for (uint32_t i = 0; i < edge->count; ++i) {
        if (partner[i] == SURFACE_NO_INDEX || done++ == 0) continue;
        if (!grow_arrays(s)) return false;
        const uint32_t m = s->vertices++;
        surface_copy_vertex(s->surface, m, edge->low);
        surface_move_vertex_toward(s->surface, m, edge->high, (float)(done - 1) / (float)pairs);
        split_triangle(s, edge->uses[i].corner, m);
        split_triangle(s, edge->uses[partner[i]].corner, m);
    }
    return true;
}

/* Splits the remaining edges. A split moves the far ends of two half-edges, so later edges of
 * those triangles must be found again. */
static weir_result split_edges(const weir_log *log, manifold_cutter *c, bool *again)
{
    mesher_surface *surface = c->surface;
    bool *touched = base_alloc(surface->triangle_count, sizeof *touched);
    edge_splitter s = {surface, surface->vertex_count, surface->triangle_count,
                       surface->vertex_count, surface->triangle_count};
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
    if (!ready) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to cut a mesh");
    return WEIR_OK;
}

/* ---- public function ------------------------------------------------------------------------ */

static weir_result separate_fans(const weir_log *log, manifold_cutter *c, uint32_t *cuts)
{
    mesher_surface *surface = c->surface;
    weir_result result = WEIR_OK;
    bool *used = base_alloc(surface->vertex_count, sizeof *used);
    c->fan = base_alloc(surface->triangle_count, 3 * sizeof *c->fan);
    c->fan_vertex = base_alloc(surface->triangle_count, 3 * sizeof *c->fan_vertex);
    if (!used || !c->fan || !c->fan_vertex)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to cut a mesh"));
    for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h)
        c->fan[h] = h;
    join_fans_across_edges(c);
    WEIR_GOTO_IF_ERROR(split_vertices(log, c, used, cuts));
fail:
    base_free(used);
    base_free(c->fan);
    base_free(c->fan_vertex);
    return result;
}

weir_result surface_make_manifold(const weir_log *log, mesher_surface *surface, uint32_t *cuts)
{
    enum { ROUNDS = 8 };
    manifold_cutter c = {.surface = surface};
    bool again = true;
    *cuts = 0;
    weir_result result = WEIR_OK;
    WEIR_GOTO_IF_ERROR(cancel_opposite_triangles(log, surface));
    for (int round = 0; again && round < ROUNDS; ++round) {
        WEIR_GOTO_IF_ERROR(surface_edge_uses_create(log, surface, &c.uses));
        WEIR_GOTO_IF_ERROR(separate_fans(log, &c, cuts));
        surface_edge_uses_free(&c.uses);
        WEIR_GOTO_IF_ERROR(surface_edge_uses_create(log, surface, &c.uses));
        WEIR_GOTO_IF_ERROR(split_edges(log, &c, &again));
        surface_edge_uses_free(&c.uses);
    }
fail:
    surface_edge_uses_free(&c.uses);
    return result;
}
