/* Computes the sign of a baked volume, and a surface across the mesh's holes.
 *
 * The inside of a scan with holes is where its winding number exceeds 1/2. Across a hole that
 * inside ends without a triangle, so the distance to the nearest triangle would jump from +r to -r.
 * At such a grid edge the distances a and b of the two ends satisfy |a| + |b| > cell, which is
 * impossible with a triangle between them. These edges seed a second distance field, grown by fast
 * sweeping (Zhao, "A Fast Sweeping Method for Eikonal Equations", 2005). The nearer of the two
 * surfaces counts. */
#include "solid_internal.h"

#define SWEEP_ROUNDS 2u /* rounds of eight sweep directions */

typedef struct hole_surface {
    size_t n[3], stride[3];
    const float *windings;
    const float *distances; /* unsigned, cells */
    float *cap;             /* distance to the surface across holes, cells */
    bool any;
} hole_surface;

/* Returns the difference of the winding number from 1/2; the absolute value also admits a mesh
 * whose triangles face inwards. */
static float cap_level(const hole_surface *c, size_t node)
{
    return fabsf(c->windings[node]) - 0.5f;
}

/* Returns the fraction of the edge from `node` at which it crosses the surface of a hole; INFINITY
 * if it does not. */
static float surface_crossing(const hole_surface *c, size_t node, size_t next)
{
    float here = cap_level(c, node), there = cap_level(c, next);
    if ((here > 0) == (there > 0)) return INFINITY;
    if (c->distances[node] + c->distances[next] <= 1.001f) return INFINITY;
    return fabsf(here) / fmaxf(fabsf(here) + fabsf(there), 1e-6f);
}

/* Returns the distance to a plane that cuts the axes at these crossings: 1 / sqrt(sum of 1 /
 * t^2). */
static float init_value(const hole_surface *c, const size_t *at, size_t node)
{
    float sum = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
        float t = INFINITY;
        if (at[axis] > 0) t = fminf(t, surface_crossing(c, node, node - c->stride[axis]));
        if (at[axis] + 1 < c->n[axis])
            t = fminf(t, surface_crossing(c, node, node + c->stride[axis]));
        t = fmaxf(t, 1e-3f);
        sum += 1 / (t * t);
    }
    return sum > 0 ? 1 / sqrtf(sum) : INFINITY;
}

static void sweep_grid(hole_surface *c,
                       void (*update)(hole_surface *c, const size_t *at, size_t node),
                       const bool *backwards)
{
    for (size_t z = 0; z < c->n[2]; ++z)
        for (size_t y = 0; y < c->n[1]; ++y)
            for (size_t x = 0; x < c->n[0]; ++x) {
                const size_t at[3] = {backwards[0] ? c->n[0] - 1 - x : x,
                                      backwards[1] ? c->n[1] - 1 - y : y,
                                      backwards[2] ? c->n[2] - 1 - z : z};
                update(c, at, at[0] + at[1] * c->stride[1] + at[2] * c->stride[2]);
            }
}

static void init_node(hole_surface *c, const size_t *at, size_t node)
{
    c->cap[node] = init_value(c, at, node);
    if (c->cap[node] < INFINITY) c->any = true;
}

static void sort_three(float *v)
{
    for (size_t i = 0; i < 3; ++i) {
        size_t j = i % 2; /* pairs 0-1, 1-2, 0-1 */
        float low = fminf(v[j], v[j + 1]), high = fmaxf(v[j], v[j + 1]);
        v[j] = low;
        v[j + 1] = high;
    }
}

/* Solves |grad u| = 1 at a node by Godunov's upwind scheme, from the smallest neighbour along each
 * axis. */
static float solve_upwind(float *v)
{
    sort_three(v);
    float u = v[0] + 1;
    if (u <= v[1]) return u;
    u = 0.5f * (v[0] + v[1] + sqrtf(fmaxf(0, 2 - (v[0] - v[1]) * (v[0] - v[1]))));
    if (u <= v[2]) return u;
    float sum = v[0] + v[1] + v[2];
    float squares = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return (sum + sqrtf(fmaxf(0, sum * sum - 3 * (squares - 1)))) / 3;
}

/* Lowers the field at a node, unless the triangles are nearer. */
static void sweep_node(hole_surface *c, const size_t *at, size_t node)
{
    float v[3];
    for (size_t axis = 0; axis < 3; ++axis) {
        v[axis] = INFINITY;
        if (at[axis] > 0) v[axis] = c->cap[node - c->stride[axis]];
        if (at[axis] + 1 < c->n[axis]) v[axis] = fminf(v[axis], c->cap[node + c->stride[axis]]);
    }
    float least = fminf(v[0], fminf(v[1], v[2]));
    if (least >= fminf(c->cap[node], c->distances[node])) return;
    float u = solve_upwind(v);
    if (u < c->cap[node] && u < c->distances[node]) c->cap[node] = u;
}

weir_result solid_fix_signs(const weir_log *log, const struct solid_volume *grid,
                            const float *windings, float *distances)
{
    static const bool forwards[3] = {false, false, false};
    const size_t count = solid_grid_nodes(grid);
    hole_surface c = {.n = {grid->nx, grid->ny, grid->nz},
                      .stride = {1, grid->nx, (size_t)grid->nx * grid->ny},
                      .windings = windings,
                      .distances = distances};
    c.cap = base_alloc(count, sizeof *c.cap);
    if (!c.cap)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a volume of %zu nodes",
                         count);
    sweep_grid(&c, init_node, forwards);
    for (uint32_t i = 0; c.any && i < 8 * SWEEP_ROUNDS; ++i) {
        const bool backwards[3] = {(i & 1) != 0, (i & 2) != 0, (i & 4) != 0};
        sweep_grid(&c, sweep_node, backwards);
    }
    for (size_t i = 0; i < count; ++i) {
        float d = fminf(distances[i], c.cap[i]);
        distances[i] = cap_level(&c, i) > 0 ? -d : d;
    }
    base_free(c.cap);
    return WEIR_OK;
}
