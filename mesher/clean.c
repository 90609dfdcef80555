/* Cleans marching-cubes surfaces: merges vertices by Moore and Warren's snapping as edge
 * collapses, then removes slivers by collapses and flips. Each edit keeps the surface a closed
 * 2-manifold (halfedge.c), inverts no triangle and makes no triangle thinner than the thinnest
 * of those that it replaces. */
#include "surface_internal.h"

/* sin^2 of smallest angles. */
#define SNAP_MIN_SHAPE 0.0076f /* 5 degrees: a snap may leave no thinner triangle */
#define CLEAN_MAX_ANGLE 20     /* degrees; triangles with smaller angles are improved */
#define NEEDLE_SHAPE 1e-8f     /* 0.006 degrees: the normal is a rounding error */
#define DEGENERATE_AREA 1e-12f /* smaller areas are rounding errors */
/* volume over area^(3/2), each as in component_state, of a flat component */
#define FLAT_COMPONENT_RATIO 1e-7
#define MIN_NORMAL_COSINE 0.2f /* minimum cosine between a triangle's normal before and after */
#define ROUND_MEAN_NORMAL 0.5f /* mean normal of a ring below which it is round */
/* maximum volume that an edit may sweep, over the 3/2 power of the area around it */
#define MAX_SWEPT_VOLUME 0.005f
#define MIN_FLIP_COSINE 0.5f /* minimum cosine between two triangles whose edge may flip */
enum { SNAP_PASSES = 4, SLIVER_PASSES = 8 };

typedef struct cleaner {
    halfedge_mesh mesh;
    mesher_clean_info *info;
    float good_shape;     /* sin^2 above which a triangle is acceptable whatever it replaces */
    float sliver_shape;   /* sin^2 below which a triangle is improved */
    bool lock_round;      /* drops of a few triangles keep their vertices, hence their volume */
    uint8_t *last_change; /* [vertex_count] pass that last changed a vertex or its ring */
    uint8_t pass;         /* from 1 on */
} cleaner;

/* ---- shapes --------------------------------------------------------------------------------- */

/* Returns sin^2 of the smallest angle, which lies between the two longer edges. `cross`: twice
 * the area along the normal. This is the hottest loop of the clean-up. */
static float min_angle_sin2(vec3 a, vec3 b, vec3 c, vec3 *cross)
{
    const vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), bc = vec3_sub(c, b);
    *cross = vec3_cross(ab, ac);
    const float x = vec3_dot(ab, ab), y = vec3_dot(bc, bc), z = vec3_dot(ac, ac);
    const float longer = x < y ? (x < z ? y * z : x * y) : (y < z ? x * z : x * y);
    return longer > 1e-37f ? vec3_dot(*cross, *cross) / longer : 0;
}

static float triangle_shape(const cleaner *c, uint32_t t, vec3 *cross)
{
    const uint32_t *corner = c->mesh.corner + 3 * (size_t)t;
    const vec3 *p = c->mesh.surface->position;
    return min_angle_sin2(p[corner[0]], p[corner[1]], p[corner[2]], cross);
}

static float cosine_between(vec3 a, vec3 b)
{
    const float lengths = sqrtf(vec3_dot(a, a) * vec3_dot(b, b));
    return lengths > 0 ? vec3_dot(a, b) / lengths : 0;
}

/* ---- changes -------------------------------------------------------------------------------- */

/* Marks a vertex that moved or has another ring of neighbours, and those neighbours. What was tried
 * around a vertex depends on its ring and on the rings of its ring, so without a mark there it
 * would fail again. */
static void mark_change(cleaner *c, uint32_t vertex)
{
    const halfedge_mesh *mesh = &c->mesh;
    c->last_change[vertex] = c->pass;
    for (uint32_t h = mesh->out[vertex]; h != SURFACE_NO_INDEX;
         h = halfedge_next_around(mesh, vertex, h))
        c->last_change[mesh->corner[surface_next_corner(h)]] = c->pass;
}

/* Returns whether the vertex is marked by this pass or the one before. */
static bool is_marked(const cleaner *c, uint32_t vertex)
{
    return c->last_change[vertex] + 1 >= c->pass;
}

static bool is_marked_around(const cleaner *c, uint32_t vertex)
{
    const halfedge_mesh *mesh = &c->mesh;
    bool marked = is_marked(c, vertex);
    for (uint32_t h = mesh->out[vertex]; !marked && h != SURFACE_NO_INDEX;
         h = halfedge_next_around(mesh, vertex, h))
        marked = is_marked(c, mesh->corner[surface_next_corner(h)]);
    return marked;
}

/* Starts the first pass, which tries everything. */
static void mark_all(cleaner *c)
{
    c->pass = 1;
    memset(c->last_change, 0, c->mesh.surface->vertex_count);
}

/* ---- collapses ------------------------------------------------------------------------------ */

typedef struct edit_region {
    float min_shape; /* shape of the thinnest triangle around the two ends */
    vec3 sum;        /* of the cross products: the mean normal */
    float area;      /* sum of the lengths of the cross products */
    /* six times the volume between the triangles and the target of the two ends */
    float swept_volume;
} edit_region;

static void add_fan_to_region(const cleaner *c, uint32_t vertex, vec3 p, edit_region *r)
{
    const halfedge_mesh *mesh = &c->mesh;
    const vec3 offset = vec3_sub(mesh->surface->position[vertex], p);
    for (uint32_t h = mesh->out[vertex]; h != SURFACE_NO_INDEX;
         h = halfedge_next_around(mesh, vertex, h)) {
        vec3 cross;
        const float shape = triangle_shape(c, h / 3, &cross);
        r->min_shape = shape < r->min_shape ? shape : r->min_shape;
        r->sum = vec3_add(r->sum, cross);
        r->area += vec3_length(cross);
        r->swept_volume += vec3_dot(offset, cross);
    }
}

/* Returns whether the triangles nearly enclose a body, such as a drop of a few triangles. */
static bool encloses_body(const edit_region *r)
{
    return vec3_length(r->sum) < ROUND_MEAN_NORMAL * r->area;
}

/* Returns whether an edit would remove a dent or a drop: compares the swept volume with that of
 * a ball of the same area. */
static bool sweeps_too_much_volume(const edit_region *r)
{
    const float area = 0.5f * r->area;
    return fabsf(r->swept_volume) > 6 * MAX_SWEPT_VOLUME * area * sqrtf(area);
}

/* Returns whether the corner `start` may move to p in all triangles around it except those that
 * contain `other`. */
static bool can_move(const cleaner *c, uint32_t start, uint32_t other, vec3 p, const edit_region *r)
{
    const halfedge_mesh *mesh = &c->mesh;
    const vec3 *position = mesh->surface->position;
    const float good_shape = fminf(c->good_shape, r->min_shape);
    for (uint32_t h = mesh->out[start]; h != SURFACE_NO_INDEX;
         h = halfedge_next_around(mesh, start, h)) {
        const uint32_t b = mesh->corner[surface_next_corner(h)],
                       d = mesh->corner[surface_prev_corner(h)];
        if (b == other || d == other) continue;
        vec3 before, after;
        const float shape = min_angle_sin2(position[start], position[b], position[d], &before),
                    next = min_angle_sin2(p, position[b], position[d], &after);
        /* A needle along an edge of a tank may remain one until its own turn. */
        if (shape < NEEDLE_SHAPE && next < NEEDLE_SHAPE) continue;
        if (next <= good_shape) return false;
        /* A sliver's own normal is mostly noise, and so is the mean normal of a round ring. */
        const bool own = shape > SNAP_MIN_SHAPE || encloses_body(r);
        if (cosine_between(after, own ? before : r->sum) < MIN_NORMAL_COSINE) return false;
    }
    return true;
}

/* Collapses half-edge h to the point at the fraction t from its end to its start. */
static bool try_collapse(cleaner *c, uint32_t h, float t)
{
    halfedge_mesh *mesh = &c->mesh;
    if (!halfedge_can_collapse(mesh, h)) return false;
    const uint32_t a = mesh->corner[h], b = mesh->corner[surface_next_corner(h)];
    const vec3 pa = mesh->surface->position[a], pb = mesh->surface->position[b];
    const vec3 p = vec3_add(vec3_scale(pb, 1 - t), vec3_scale(pa, t));
    edit_region r = {.min_shape = INFINITY};
    add_fan_to_region(c, a, p, &r);
    add_fan_to_region(c, b, p, &r);
    if (sweeps_too_much_volume(&r) || (c->lock_round && encloses_body(&r))) return false;
    if (!can_move(c, a, b, p, &r) || !can_move(c, b, a, p, &r)) return false;
    const uint32_t left = mesh->corner[surface_prev_corner(h)],
                   right = mesh->corner[surface_prev_corner(mesh->twin[h])];
    surface_move_vertex_toward(mesh->surface, b, a, t);
    halfedge_collapse(mesh, h);
    mark_change(c, b);
    mark_change(c, left);
    mark_change(c, right);
    c->info->collapsed++;
    return true;
}

/* ---- snapping ------------------------------------------------------------------------------- */

typedef struct snapper {
    cleaner *cleaner;
    struct node {
        int32_t x, y, z;
    } * node;              /* [vertex_count] nearest lattice node */
    uint32_t *merge_count; /* [vertex_count] number of original vertices merged into each */
} snapper;

static int32_t nearest_node(float x, float cell)
{
    return (int32_t)fminf(fmaxf(floorf(x / cell + 0.5f), -2e9f), 2e9f);
}

static bool snap_vertex(snapper *s, uint32_t v)
{
    halfedge_mesh *mesh = &s->cleaner->mesh;
    for (uint32_t h = mesh->out[v]; h != SURFACE_NO_INDEX; h = halfedge_next_around(mesh, v, h)) {
        const uint32_t b = mesh->corner[surface_next_corner(h)];
        const float t = (float)s->merge_count[v] / (float)(s->merge_count[v] + s->merge_count[b]);
        if (memcmp(&s->node[v], &s->node[b], sizeof *s->node) == 0 &&
            try_collapse(s->cleaner, h, t)) {
            s->merge_count[b] += s->merge_count[v];
            return true;
        }
    }
    return false;
}

static void snap_vertices(snapper *s, float cell)
{
    const halfedge_mesh *mesh = &s->cleaner->mesh;
    const uint32_t count = mesh->surface->vertex_count;
    for (uint32_t v = 0; v < count; ++v) {
        const vec3 p = mesh->surface->position[v];
        s->node[v] = (struct node){nearest_node(p.x, cell), nearest_node(p.y, cell),
                                   nearest_node(p.z, cell)};
        s->merge_count[v] = 1;
    }
    cleaner *c = s->cleaner;
    bool changed = true;
    for (mark_all(c); changed && c->pass <= SNAP_PASSES; ++c->pass) {
        changed = false;
        for (uint32_t v = 0; v < count; ++v)
            if (mesh->out[v] != SURFACE_NO_INDEX && !mesh->locked[v] && is_marked_around(c, v))
                changed |= snap_vertex(s, v);
    }
}

/* ---- slivers -------------------------------------------------------------------------------- */

static float edge_length_2(const halfedge_mesh *mesh, uint32_t h)
{
    const vec3 *p = mesh->surface->position;
    const vec3 e = vec3_sub(p[mesh->corner[surface_next_corner(h)]], p[mesh->corner[h]]);
    return vec3_dot(e, e);
}

/* Flips the edge of h if that improves the thinner of its triangles. */
static bool try_flip(cleaner *c, uint32_t h)
{
    halfedge_mesh *mesh = &c->mesh;
    const uint32_t g = mesh->twin[h];
    if (g == SURFACE_NO_INDEX) return false;
    const vec3 *p = mesh->surface->position;
    const vec3 pa = p[mesh->corner[h]], pb = p[mesh->corner[g]];
    const vec3 pc = p[mesh->corner[surface_prev_corner(h)]],
               pd = p[mesh->corner[surface_prev_corner(g)]];
    vec3 one, two, three, four;
    const float first = min_angle_sin2(pa, pb, pc, &one), second = min_angle_sin2(pb, pa, pd, &two);
    const float before = fminf(first, second);
    const float after =
        fminf(min_angle_sin2(pd, pb, pc, &three), min_angle_sin2(pc, pa, pd, &four));
    if (after <= 1.1f * before + DEGENERATE_AREA) return false;
    const vec3 sum = vec3_add(one, two);
    const bool flat = before > SNAP_MIN_SHAPE ? cosine_between(one, two) > MIN_FLIP_COSINE : true;
    if (!flat || cosine_between(three, sum) < MIN_FLIP_COSINE ||
        cosine_between(four, sum) < MIN_FLIP_COSINE)
        return false;
    if (!halfedge_can_flip(mesh, h)) return false;
    const uint32_t ends[] = {mesh->corner[h], mesh->corner[g], mesh->corner[surface_prev_corner(h)],
                             mesh->corner[surface_prev_corner(g)]};
    halfedge_flip(mesh, h);
    for (size_t i = 0; i < BASE_COUNT(ends); ++i)
        mark_change(c, ends[i]);
    c->info->flipped++;
    return true;
}

/* Sorts the half-edges of a triangle from the shortest to the longest. */
static void sort_edges(const halfedge_mesh *mesh, uint32_t t, uint32_t order[3])
{
    float length[3];
    for (uint32_t k = 0; k < 3; ++k) {
        uint32_t at = k;
        const float l = edge_length_2(mesh, 3 * t + k);
        for (; at > 0 && length[at - 1] > l; --at) {
            length[at] = length[at - 1];
            order[at] = order[at - 1];
        }
        length[at] = l;
        order[at] = 3 * t + k;
    }
}

/* Moves a vertex along the surface to the mean of its neighbours. */
static bool try_relocate(cleaner *c, uint32_t v)
{
    halfedge_mesh *mesh = &c->mesh;
    if (mesh->locked[v]) return false;
    vec3 *position = mesh->surface->position, middle = {0, 0, 0};
    edit_region r = {.min_shape = INFINITY};
    add_fan_to_region(c, v, position[v], &r);
    float count = 0;
    for (uint32_t h = mesh->out[v]; h != SURFACE_NO_INDEX; h = halfedge_next_around(mesh, v, h)) {
        middle = vec3_add(middle, position[mesh->corner[surface_next_corner(h)]]);
        count++;
    }
    vec3 move = vec3_sub(vec3_scale(middle, 1 / count), position[v]);
    const float normal_2 = vec3_dot(r.sum, r.sum);
    if (normal_2 > 0) move = vec3_sub(move, vec3_scale(r.sum, vec3_dot(move, r.sum) / normal_2));
    const vec3 p = vec3_add(position[v], move);
    r.min_shape = 1.1f * r.min_shape + DEGENERATE_AREA;
    if (!can_move(c, v, SURFACE_NO_INDEX, p, &r)) return false;
    position[v] = p;
    mark_change(c, v);
    return true;
}

static bool improve_triangle(cleaner *c, uint32_t t)
{
    /* positions on the edge at which its ends may merge */
    static const float shares[] = {0.5f, 0, 1};
    halfedge_mesh *mesh = &c->mesh;
    uint32_t order[3];
    sort_edges(mesh, t, order);
    const bool needle = edge_length_2(mesh, order[0]) < 0.25f * edge_length_2(mesh, order[1]);
    if (!needle && try_flip(c, order[2])) return true;
    for (size_t k = 0; k < 3; ++k)
        for (size_t i = 0; i < BASE_COUNT(shares); ++i)
            if (try_collapse(c, order[k], shares[i])) return true;
    if (try_flip(c, order[2]) || try_flip(c, order[1])) return true;
    const uint32_t *corner = mesh->corner + 3 * (size_t)t;
    return try_relocate(c, corner[0]) || try_relocate(c, corner[1]) || try_relocate(c, corner[2]);
}

static void remove_slivers(cleaner *c)
{
    const uint32_t count = c->mesh.surface->triangle_count;
    bool changed = true;
    for (mark_all(c); changed && c->pass <= SLIVER_PASSES; ++c->pass) {
        changed = false;
        for (uint32_t t = 0; t < count; ++t) {
            vec3 cross;
            const uint32_t *corner = c->mesh.corner + 3 * (size_t)t;
            if (corner[0] == SURFACE_NO_INDEX) continue;
            if (!is_marked(c, corner[0]) && !is_marked(c, corner[1]) && !is_marked(c, corner[2]))
                continue;
            if (triangle_shape(c, t, &cross) < c->sliver_shape) changed |= improve_triangle(c, t);
        }
    }
}

/* ---- collapsed components ------------------------------------------------------------------- */

typedef struct component_state {
    double volume; /* six times the volume, signed */
    double area;   /* twice the area */
    uint32_t triangles;
    uint32_t degenerate;
} component_state;

static component_state *measure_components(const cleaner *c, const surface_components *parts)
{
    const mesher_surface *surface = c->mesh.surface;
    component_state *states = base_alloc(parts->count, sizeof *states);
    for (uint32_t t = 0; states && t < surface->triangle_count; ++t) {
        const uint32_t *corner = c->mesh.corner + 3 * (size_t)t;
        if (corner[0] == SURFACE_NO_INDEX) continue;
        component_state *state = &states[parts->of_vertex[corner[0]]];
        double volume_6, area_2;
        surface_volume_and_area(surface->position, corner, surface->position[0], &volume_6,
                                &area_2);
        state->volume += volume_6;
        state->area += area_2;
        state->triangles++;
        state->degenerate += surface_is_degenerate(surface->position, corner, area_2);
    }
    return states;
}

/* Returns whether a closed component became flat, turned inside out, or is a small drop that
 * still has a triangle without area. */
static bool is_collapsed(const surface_component *before, const component_state *after)
{
    enum { SMALL = 24 };
    if (!before->closed) return false;
    if (fabs(after->volume) < FLAT_COMPONENT_RATIO * after->area * sqrt(after->area)) return true;
    return before->volume * after->volume <= 0 || (after->degenerate && after->triangles <= SMALL);
}

static weir_result remove_collapsed(const weir_log *log, cleaner *c,
                                    const surface_components *parts)
{
    component_state *states = measure_components(c, parts);
    if (!states)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the parts of a mesh");
    for (uint32_t t = 0; t < c->mesh.surface->triangle_count; ++t) {
        uint32_t *corner = c->mesh.corner + 3 * (size_t)t;
        if (corner[0] == SURFACE_NO_INDEX) continue;
        const uint32_t part = parts->of_vertex[corner[0]];
        if (!is_collapsed(&parts->items[part], &states[part])) continue;
        corner[0] = corner[1] = corner[2] = SURFACE_NO_INDEX;
        c->info->removed++;
    }
    for (uint32_t i = 0; i < parts->count; ++i)
        if (!is_collapsed(&parts->items[i], &states[i]))
            c->info->degenerate += states[i].degenerate;
    base_free(states);
    return WEIR_OK;
}

/* ---- public functions ----------------------------------------------------------------------- */

/* Cleans a surface. cell_m 0: removes slivers only. */
static weir_result run_clean_up(const weir_log *log, halfedge_mesh *mesh, float cell_m,
                                float degrees, mesher_clean_info *info)
{
    mesher_surface *surface = mesh->surface;
    const float sine = base_sin(degrees * 0.017453292f);
    cleaner c = {.mesh = *mesh, .info = info, .sliver_shape = sine * sine};
    c.good_shape = fminf(c.sliver_shape, SNAP_MIN_SHAPE);
    snapper s = {.cleaner = &c};
    surface_components parts = {0};
    weir_result result = WEIR_OK;
    WEIR_GOTO_IF_ERROR(surface_components_create(log, surface, NULL, &parts));
    c.last_change = base_alloc(surface->vertex_count, sizeof *c.last_change);
    if (cell_m > 0) {
        s.node = base_alloc(surface->vertex_count, sizeof *s.node);
        s.merge_count = base_alloc(surface->vertex_count, sizeof *s.merge_count);
    }
    if (!c.last_change || (cell_m > 0 && (!s.node || !s.merge_count)))
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY,
                                     "not enough memory to clean a mesh of %u vertices",
                                     surface->vertex_count));
    if (cell_m > 0) {
        c.lock_round = true;
        snap_vertices(&s, cell_m);
        c.lock_round = false;
    }
    remove_slivers(&c);
    info->degenerate = 0;
    WEIR_GOTO_IF_ERROR(remove_collapsed(log, &c, &parts));
    WEIR_GOTO_IF_ERROR(halfedge_mesh_compact(log, &c.mesh));
fail:
    base_free(c.last_change);
    base_free(s.node);
    base_free(s.merge_count);
    surface_components_free(&parts);
    *mesh = c.mesh;
    if (result != WEIR_OK) surface_erase_removed(surface);
    return result;
}

weir_result surface_clean(const weir_log *log, halfedge_mesh *mesh, float cell_m,
                          mesher_clean_info *info)
{
    WEIR_ASSERT(cell_m > 0);
    *info = (mesher_clean_info){0};
    return run_clean_up(log, mesh, cell_m, CLEAN_MAX_ANGLE, info);
}

weir_result surface_remove_slivers(const weir_log *log, halfedge_mesh *mesh, float degrees,
                                   mesher_clean_info *info)
{
    return run_clean_up(log, mesh, 0, degrees, info);
}

weir_result mesher_surface_clean(const weir_log *log, mesher_surface *surface, float cell_m,
                                 mesher_clean_info *info)
{
    halfedge_mesh mesh;
    WEIR_RETURN_IF_ERROR(halfedge_mesh_create(log, surface, &mesh));
    const weir_result result = surface_clean(log, &mesh, cell_m, info);
    halfedge_mesh_free(&mesh);
    return result;
}

weir_result mesher_surface_remove_slivers(const weir_log *log, mesher_surface *surface,
                                          float degrees, mesher_clean_info *info)
{
    halfedge_mesh mesh;
    WEIR_RETURN_IF_ERROR(halfedge_mesh_create(log, surface, &mesh));
    const weir_result result = surface_remove_slivers(log, &mesh, degrees, info);
    halfedge_mesh_free(&mesh);
    return result;
}
