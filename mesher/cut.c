/* Cutting a surface apart where it touches itself: Gueziec, Taubin, Lazarus, Horn, "Cutting and
 * stitching: converting sets of polygons to manifold surfaces" (2001), with the triangles around an
 * edge paired across the inside, so that each wedge of the body keeps its two faces. */
#include "surface_internal.h"

/* Triangles on one edge that are told apart; more are paired as they come. */
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
static void cancel_on_edge(mesher_surface *surface, const surface_use *uses, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = i + 1; k < count; ++k) {
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
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        const uint32_t end = uses.first[v + 1];
        for (uint32_t i = uses.first[v], next; i < end; i = next) {
            next = surface_uses_run(&uses, i, end);
            if (next - i > 2 && next - i <= EDGE_USES_MAX)
                cancel_on_edge(surface, uses.items + i, next - i);
            else if (next - i == 2)
                cancel_on_edge(surface, uses.items + i, 2);
        }
    }
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
    const vec3 way = vec3_sub(surface->position[third(surface, use)], surface->position[low]);
    const float length = vec3_length(axis);
    const vec3 unit = length > 0 ? vec3_scale(axis, 1 / length) : (vec3){0, 0, 1};
    const vec3 flat = vec3_sub(way, vec3_scale(unit, vec3_dot(way, unit)));
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
static uint32_t find_pairs(const cutter *c, uint32_t low, const surface_use *uses, uint32_t count,
                           uint32_t *partner)
{
    double angle[EDGE_USES_MAX] = {0};
    bool paired[EDGE_USES_MAX] = {false};
    uint32_t pairs = 0;
    vec3 ahead, across;
    make_frame(vec3_sub(c->surface->position[uses->high], c->surface->position[low]), &ahead,
               &across);
    for (uint32_t i = 0; i < count; ++i)
        angle[i] = angle_of(c->surface, low, &uses[i], ahead, across);
    for (uint32_t i = 0; i < count; ++i) {
        double least = INFINITY;
        partner[i] = SURFACE_NONE;
        for (uint32_t k = 0; is_forward(c->surface, &uses[i]) && k < count; ++k) {
            if (paired[k] || is_forward(c->surface, &uses[k])) continue;
            const double turn = angle[i] - angle[k];
            const double way = turn > 0 ? turn : turn + 6.283185307179586;
            if (way >= least) continue;
            least = way;
            partner[i] = k;
        }
        if (partner[i] == SURFACE_NONE) continue;
        paired[partner[i]] = true;
        pairs++;
    }
    return pairs;
}

static void join_pairs(cutter *c, uint32_t low, const surface_use *uses, uint32_t count)
{
    uint32_t partner[EDGE_USES_MAX];
    find_pairs(c, low, uses, count, partner);
    for (uint32_t i = 0; i < count; ++i)
        if (partner[i] != SURFACE_NONE) join(c, low, &uses[i], &uses[partner[i]]);
}

static void join_edges(cutter *c)
{
    for (uint32_t v = 0; v < c->surface->vertex_count; ++v) {
        const uint32_t end = c->uses.first[v + 1];
        for (uint32_t i = c->uses.first[v], next; i < end; i = next) {
            next = surface_uses_run(&c->uses, i, end);
            const surface_use *uses = c->uses.items + i;
            if (next - i == 2)
                join(c, v, &uses[0], &uses[1]);
            else if (next - i > 2)
                join_pairs(c, v, uses, next - i < EDGE_USES_MAX ? next - i : EDGE_USES_MAX);
        }
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

static bool grow(void **items, size_t count, size_t size)
{
    if (!*items) return true;
    void *more = base_realloc(*items, count, size);
    if (more) *items = more;
    return more != NULL;
}

static bool grow_vertices(mesher_surface *surface, size_t count)
{
    bool ready = grow((void **)&surface->position, count, sizeof *surface->position) &&
                 grow((void **)&surface->normal, count, sizeof *surface->normal) &&
                 grow((void **)&surface->velocity, count, sizeof *surface->velocity);
    for (uint32_t i = 0; ready && i < surface->channel_count; ++i) {
        mesher_channel *channel = &surface->channel[i];
        ready = grow((void **)&channel->values, count, channel->components * sizeof(float));
    }
    return ready;
}

static void copy_vertex(mesher_surface *surface, uint32_t to, uint32_t from)
{
    surface->position[to] = surface->position[from];
    if (surface->normal) surface->normal[to] = surface->normal[from];
    if (surface->velocity) surface->velocity[to] = surface->velocity[from];
    for (uint32_t i = 0; i < surface->channel_count; ++i) {
        const mesher_channel *channel = &surface->channel[i];
        memcpy(channel->values + (size_t)to * channel->components,
               channel->values + (size_t)from * channel->components,
               channel->components * sizeof *channel->values);
    }
}

static weir_result split_vertices(const weir_log *log, cutter *c, bool *used, uint32_t *cuts)
{
    mesher_surface *surface = c->surface;
    const uint32_t added = number_fans(c, used);
    if (!grow_vertices(surface, (size_t)surface->vertex_count + added))
        return base_fail(log, WEIR_MEMORY, "no memory to cut a mesh at %u vertices", added);
    for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h) {
        const uint32_t from = surface->index[h], to = c->made[surface_set_of(c->fan, h)];
        if (to != from) copy_vertex(surface, to, from);
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
        if (!grow_vertices(surface, s->room_vertices)) return false;
    }
    if (s->triangles + 2 > s->room_triangles) {
        s->room_triangles += 64 + s->room_triangles / 8;
        if (!grow((void **)&surface->index, s->room_triangles, 3 * sizeof *surface->index))
            return false;
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

/* `share`: where along the edge from low to high, so that no two new vertices coincide. */
static bool split_pair(splitter *s, const surface_use *a, const surface_use *b, float share)
{
    if (!make_room(s)) return false;
    const uint32_t low = s->surface->index[a->corner] == a->high
                             ? s->surface->index[surface_next(a->corner)]
                             : s->surface->index[a->corner];
    const uint32_t m = s->vertices++;
    copy_vertex(s->surface, m, low);
    surface_mix(s->surface, m, a->high, share);
    split_triangle(s, a->corner, m);
    split_triangle(s, b->corner, m);
    return true;
}

static bool split_edge(cutter *c, splitter *s, uint32_t low, const surface_use *uses,
                       uint32_t count)
{
    uint32_t partner[EDGE_USES_MAX];
    const uint32_t pairs = find_pairs(c, low, uses, count, partner);
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (partner[i] == SURFACE_NONE || done++ == 0) continue;
        if (!split_pair(s, &uses[i], &uses[partner[i]], (float)(done - 1) / (float)pairs))
            return false;
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
    for (uint32_t v = 0; ready && v < c->uses.vertex_count; ++v) {
        const uint32_t end = c->uses.first[v + 1];
        for (uint32_t i = c->uses.first[v], next; ready && i < end; i = next) {
            next = surface_uses_run(&c->uses, i, end);
            const surface_use *uses = c->uses.items + i;
            const uint32_t count = next - i;
            if (count <= 2 || count > EDGE_USES_MAX) continue;
            bool fresh = true;
            for (uint32_t k = 0; k < count; ++k)
                fresh = fresh && !touched[uses[k].corner / 3];
            *again = true;
            if (!fresh) continue;
            for (uint32_t k = 0; k < count; ++k)
                touched[uses[k].corner / 3] = true;
            ready = split_edge(c, &s, v, uses, count);
        }
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
