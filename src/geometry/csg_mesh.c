/* Triangulates sets of shapes by dual contouring (Ju et al. 2002). The signed distance is sampled
 * on a lattice. Each cell that the surface intersects gets one vertex, close to the tangent planes
 * at the points where the surface crosses the cell's edges, so sharp edges stay sharp. The vertex
 * is found by relaxation (Schmitz et al. 2005). */
#include "geometry.h"
#include "solid.h"

#define MAX_CELLS 96u             /* along the longest side of the bounds */
#define MAX_CELLS_THIN_SHELL 192u /* the same, for thin shells */
#define CELLS_ACROSS_SHELL 3u     /* across the wall of a shell */
#define GRID_BLOCK 8u    /* cells along the side of a block, whose sign one distance may decide */
#define PADDING_CELLS 2u /* cells added outside the bounds on each side */
#define RELAX_STEPS 24u  /* relaxation steps of a vertex */

typedef struct dual_grid {
    const solid_set *set;
    uint32_t shape;
    vec3 origin;
    float cell;
    uint32_t n[3];              /* nodes along each axis */
    float *values;              /* [n[0] * n[1] * n[2]] distances, m; exact only near the surface */
    uint32_t *vertices;         /* [n[0] * n[1] * n[2]] vertex of the cell above a node */
    BASE_ARRAY(vec3) positions; /* of the vertices, m */
} dual_grid;

static size_t node_at(const dual_grid *l, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * l->n[1] + y) * l->n[0] + x;
}

static vec3 node_position(const dual_grid *l, uint32_t x, uint32_t y, uint32_t z)
{
    return vec3_add(l->origin, vec3_scale(vec3_make((float)x, (float)y, (float)z), l->cell));
}

static float distance_at(const dual_grid *l, vec3 p)
{
    return solid_shape_distance(l->set, l->shape, p);
}

static vec3 normal_at(const dual_grid *l, vec3 p)
{
    const float h = 0.02f * l->cell;
    vec3 x = {h, 0, 0}, y = {0, h, 0}, z = {0, 0, h};
    vec3 n = {distance_at(l, vec3_add(p, x)) - distance_at(l, vec3_sub(p, x)),
              distance_at(l, vec3_add(p, y)) - distance_at(l, vec3_sub(p, y)),
              distance_at(l, vec3_add(p, z)) - distance_at(l, vec3_sub(p, z))};
    float length = vec3_length(n);
    return length > 0 ? vec3_scale(n, 1 / length) : vec3_make(0, 1, 0);
}

/* ---- distance samples ----------------------------------------------------------------------- */

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Fills one block of nodes. The distance of a set is at most the true distance to its surface, so
 * where it is large the whole block lies on one side. The outermost nodes are set outside, which
 * closes the surface where the bounds cut it. */
static void fill_block(dual_grid *l, uint32_t x0, uint32_t y0, uint32_t z0)
{
    const float half = 0.5f * (float)GRID_BLOCK;
    vec3 middle =
        vec3_add(node_position(l, x0, y0, z0), vec3_scale(vec3_make(half, half, half), l->cell));
    float far = distance_at(l, middle);
    bool passed = fabsf(far) > 1.2f * 1.7321f * (half + 1) * l->cell;
    for (uint32_t z = z0; z < min_u32(z0 + GRID_BLOCK, l->n[2]); z++)
        for (uint32_t y = y0; y < min_u32(y0 + GRID_BLOCK, l->n[1]); y++)
            for (uint32_t x = x0; x < min_u32(x0 + GRID_BLOCK, l->n[0]); x++) {
                bool rim = x == 0 || y == 0 || z == 0 || x + 1 == l->n[0] || y + 1 == l->n[1] ||
                           z + 1 == l->n[2];
                float value = passed ? far : distance_at(l, node_position(l, x, y, z));
                l->values[node_at(l, x, y, z)] = rim ? fmaxf(value, 0.5f * l->cell) : value;
            }
}

static void fill_values(dual_grid *l)
{
    for (uint32_t z = 0; z < l->n[2]; z += GRID_BLOCK)
        for (uint32_t y = 0; y < l->n[1]; y += GRID_BLOCK)
            for (uint32_t x = 0; x < l->n[0]; x += GRID_BLOCK)
                fill_block(l, x, y, z);
}

/* ---- vertices ------------------------------------------------------------------------------- */

typedef struct edge_crossings {
    vec3 at[12], normal[12];
    uint32_t count;
} edge_crossings;

typedef struct grid_corner {
    vec3 at;
    float distance_at;
} grid_corner;

/* Appends the point where the surface crosses the edge from a to b, and its normal. */
static void add_crossing(const dual_grid *l, grid_corner a, grid_corner b, edge_crossings *c)
{
    for (int i = 0; i < 3; i++) {
        float t = fmaxf(0.01f, fminf(0.99f, a.distance_at / (a.distance_at - b.distance_at)));
        grid_corner middle = {.at = vec3_add(a.at, vec3_scale(vec3_sub(b.at, a.at), t))};
        middle.distance_at = distance_at(l, middle.at);
        if ((middle.distance_at < 0) == (a.distance_at < 0))
            a = middle;
        else
            b = middle;
    }
    vec3 at = fabsf(a.distance_at) < fabsf(b.distance_at) ? a.at : b.at;
    c->at[c->count] = at;
    c->normal[c->count++] = normal_at(l, at);
}

/* Returns the point closest to all tangent planes, clamped to the cell. */
static vec3 solve_vertex(const dual_grid *l, const edge_crossings *c, vec3 low)
{
    vec3 p = {0}, high = vec3_add(low, vec3_make(l->cell, l->cell, l->cell));
    float share = 1 / (float)c->count;
    for (uint32_t i = 0; i < c->count; i++)
        p = vec3_add(p, vec3_scale(c->at[i], share));
    for (uint32_t step = 0; step < RELAX_STEPS; step++) {
        vec3 push = {0};
        for (uint32_t i = 0; i < c->count; i++) {
            float off = vec3_dot(c->normal[i], vec3_sub(c->at[i], p));
            push = vec3_add(push, vec3_scale(c->normal[i], off * share));
        }
        p = vec3_max(low, vec3_min(high, vec3_add(p, push)));
    }
    return p;
}

static bool create_cell_vertex(dual_grid *l, uint32_t x, uint32_t y, uint32_t z)
{
    edge_crossings c = {.count = 0};
    grid_corner corners[8];
    uint32_t inside = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t at[3] = {x + (i & 1u), y + (i >> 1 & 1u), z + (i >> 2)};
        corners[i].distance_at = l->values[node_at(l, at[0], at[1], at[2])];
        inside += corners[i].distance_at < 0;
    }
    if (inside == 0 || inside == 8) return true;
    for (uint32_t i = 0; i < 8; i++)
        corners[i].at = node_position(l, x + (i & 1u), y + (i >> 1 & 1u), z + (i >> 2));
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t axis = 1; axis < 8; axis <<= 1)
            if (!(i & axis) && (corners[i].distance_at < 0) != (corners[i | axis].distance_at < 0))
                add_crossing(l, corners[i], corners[i | axis], &c);
    l->vertices[node_at(l, x, y, z)] = (uint32_t)l->positions.count;
    return BASE_ARRAY_PUSH(&l->positions, solve_vertex(l, &c, corners[0].at));
}

static bool create_vertices(dual_grid *l)
{
    bool good = true;
    for (uint32_t z = 0; z + 1 < l->n[2]; z++)
        for (uint32_t y = 0; y + 1 < l->n[1]; y++)
            for (uint32_t x = 0; x + 1 < l->n[0] && good; x++)
                good = create_cell_vertex(l, x, y, z);
    return good;
}

/* ---- faces ---------------------------------------------------------------------------------- */

static bool add_corner(const dual_grid *l, vec3 p, vec3 middle, triangle_list *out)
{
    /* The normal is evaluated at a point inside the face, so that edges stay sharp. */
    return triangle_list_add_vertex(
        out, p, normal_at(l, vec3_add(p, vec3_scale(vec3_sub(middle, p), 0.3f))));
}

/* Appends a quad, split along the diagonal that is closer to the surface. */
static bool add_quad(const dual_grid *l, const vec3 p[4], triangle_list *out)
{
    static const uint32_t splits[2][6] = {{0, 1, 2, 0, 2, 3}, {1, 2, 3, 1, 3, 0}};
    size_t first = out->vertices.count;
    vec3 a = vec3_scale(vec3_add(p[0], p[2]), 0.5f), b = vec3_scale(vec3_add(p[1], p[3]), 0.5f);
    vec3 middle = vec3_scale(vec3_add(a, b), 0.5f);
    const uint32_t *split = splits[fabsf(distance_at(l, b)) < fabsf(distance_at(l, a))];
    bool good = true;
    for (uint32_t i = 0; i < 4; i++)
        good = good && add_corner(l, p[i], middle, out);
    return good && triangle_list_add_indices(out, first, split, 6);
}

/* Appends the face dual to a lattice edge, if the surface crosses the edge. Its corners are the
 * vertices of the four cells around the edge. */
static bool add_edge_face(const dual_grid *l, const uint32_t at[3], uint32_t axis,
                          triangle_list *out)
{
    static const uint32_t around[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    uint32_t u = (axis + 1) % 3, w = (axis + 2) % 3, next[3] = {at[0], at[1], at[2]};
    vec3 p[4];
    if (at[axis] + 1 >= l->n[axis] || at[u] == 0 || at[w] == 0) return true;
    next[axis]++;
    bool inside = l->values[node_at(l, at[0], at[1], at[2])] < 0;
    if (inside == (l->values[node_at(l, next[0], next[1], next[2])] < 0)) return true;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t cell[3] = {at[0], at[1], at[2]};
        cell[u] -= around[inside ? i : 3 - i][0];
        cell[w] -= around[inside ? i : 3 - i][1];
        p[i] = l->positions.items[l->vertices[node_at(l, cell[0], cell[1], cell[2])]];
    }
    return add_quad(l, p, out);
}

static bool add_faces(const dual_grid *l, triangle_list *out)
{
    bool good = true;
    for (uint32_t z = 0; z + 1 < l->n[2]; z++)
        for (uint32_t y = 0; y + 1 < l->n[1]; y++)
            for (uint32_t x = 0; x + 1 < l->n[0]; x++)
                for (uint32_t axis = 0; axis < 3 && good; axis++)
                    good = add_edge_face(l, (const uint32_t[3]){x, y, z}, axis, out);
    return good;
}

/* ---- sets ----------------------------------------------------------------------------------- */

bool shape_needs_csg(const scene_data *scene, uint32_t shape)
{
    const scene_shape *s = &scene->shapes[shape];
    bool carved = s->thickness > 0 || s->kind == SCENE_SHAPE_INTERSECTION ||
                  s->kind == SCENE_SHAPE_DIFFERENCE || s->kind == SCENE_SHAPE_SMOOTH_UNION;
    for (uint32_t i = 0; i < s->child_count; i++)
        carved = carved || shape_needs_csg(scene, scene->shape_children[s->first_child + i]);
    return carved;
}

/* Chooses a lattice that covers the bounds of the shape, but extends at most the domain's longest
 * side beyond the domain, for unbounded shapes. */
static void choose_grid(dual_grid *l, const scene_data *scene)
{
    const scene_domain *domain = &scene->domain;
    vec3 low, high, size = vec3_sub(domain->max, domain->min);
    float longest = fmaxf(fmaxf(size.x, size.y), size.z);
    vec3 beyond = {longest, longest, longest};
    solid_shape_bounds(l->set, l->shape, &low, &high);
    low = vec3_max(low, vec3_sub(domain->min, beyond));
    high = vec3_min(high, vec3_add(domain->max, beyond));
    size = vec3_max(vec3_sub(high, low), vec3_make(0, 0, 0));
    float side = fmaxf(fmaxf(fmaxf(size.x, size.y), size.z), 1e-4f * longest);
    float shell = scene_shell_thickness(scene, l->shape) / (float)CELLS_ACROSS_SHELL;
    l->cell = side / (float)MAX_CELLS;
    if (shell > 0) l->cell = fminf(l->cell, fmaxf(shell, side / (float)MAX_CELLS_THIN_SHELL));
    const float sides[3] = {size.x, size.y, size.z};
    for (int k = 0; k < 3; k++)
        l->n[k] = (uint32_t)ceilf(sides[k] / l->cell) + 2 * PADDING_CELLS + 1;
    float out = (float)PADDING_CELLS * l->cell;
    l->origin = vec3_sub(low, vec3_make(out, out, out));
}

weir_result csg_mesh_append(const weir_log *log, const solid_set *set, const scene_data *scene,
                            uint32_t shape, triangle_list *out)
{
    dual_grid l = {.set = set, .shape = shape};
    choose_grid(&l, scene);
    size_t nodes = (size_t)l.n[0] * l.n[1] * l.n[2];
    l.values = base_alloc(nodes, sizeof *l.values);
    l.vertices = base_alloc(nodes, sizeof *l.vertices);
    bool good = l.values && l.vertices;
    if (good) fill_values(&l);
    good = good && create_vertices(&l) && add_faces(&l, out);
    BASE_ARRAY_FREE(&l.positions);
    base_free(l.values);
    base_free(l.vertices);
    return good ? WEIR_OK
                : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a solid's triangles");
}
