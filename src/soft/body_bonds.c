/* The constraints of a soft body: springs along the edges and the diagonals of the faces of its
 * cells, which together are an isotropic material whose two moduli are equal (Poisson's ratio 1/4),
 * and volumes, which add what is left of its bulk modulus (docs/equations.md). Or clusters, which
 * have no moduli. */
#include "soft_lattice.h"

#include <stdlib.h>

#define SHARE_LEAST 0.05f /* of a spring along a long edge of a cell that is far from a cube */

/* A spring as one cell has it. */
typedef struct spring {
    uint32_t low, high; /* vertices */
    float stiffness;    /* N/m */
} spring;

typedef BASE_ARRAY(spring) springs;

static int compare(const void *a, const void *b)
{
    const spring *s = a, *t = b;
    if (s->low != t->low) return s->low < t->low ? -1 : 1;
    return s->high < t->high ? -1 : s->high > t->high;
}

static bool put(springs *all, uint32_t i, uint32_t j, float stiffness)
{
    return BASE_PUSH(all, ((spring){i < j ? i : j, i < j ? j : i, stiffness}));
}

/* Along the four edges of a cell on an axis: a cell has a quarter of each. `mu`, Pa: the shear
 * modulus. */
static bool put_edges(const soft_builder *b, springs *all, uint32_t cell, int axis, float mu)
{
    const soft_lattice_cells *c = &b->cells;
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    float a = c->step[axis], ay = a / c->step[y], az = a / c->step[z];
    float area = c->step[y] * c->step[z];
    float share = fmaxf(3.0f - ay * ay - az * az, SHARE_LEAST);
    float stiffness = 0.25f * mu * share * area / a;
    bool ok = true;
    for (uint32_t k = 0; k < 4 && ok; k++) {
        uint32_t corner = (k & 1u) << y | (k >> 1) << z;
        ok = put(all, soft_cell_corner(b, c, cell, corner),
                 soft_cell_corner(b, c, cell, corner | 1u << axis), stiffness);
    }
    return ok;
}

/* Along the diagonals of its two faces across an axis: half of each. */
static bool put_diagonals(const soft_builder *b, springs *all, uint32_t cell, int axis, float mu)
{
    const soft_lattice_cells *c = &b->cells;
    uint32_t y = (uint32_t)(axis + 1) % 3, z = (uint32_t)(axis + 2) % 3;
    float h = c->step[axis], one = c->step[y], two = c->step[z];
    float stiffness = 0.5f * mu * (one * one + two * two) * h / (2.0f * one * two);
    bool ok = true;
    for (uint32_t side = 0; side < 2 && ok; side++) {
        uint32_t at = side << axis;
        ok = put(all, soft_cell_corner(b, c, cell, at),
                 soft_cell_corner(b, c, cell, at | 1u << y | 1u << z), stiffness) &&
             put(all, soft_cell_corner(b, c, cell, at | 1u << y),
                 soft_cell_corner(b, c, cell, at | 1u << z), stiffness);
    }
    return ok;
}

static bool put_stretch(soft_builder *b, const spring *s, float stiffness)
{
    vec3 along = vec3_sub(soft_place(b->set, s->low), soft_place(b->set, s->high));
    const struct soft_bond bond = {.vertices = {s->low, s->high, SOFT_NONE, SOFT_NONE},
                                   .shares = {1.0f, -1.0f, 0.0f, 0.0f},
                                   .rest = vec3_length(along),
                                   .compliance = 1.0f / stiffness,
                                   .kind = SOFT_STRETCH,
                                   .flag = SOFT_NONE};
    return BASE_PUSH(&b->set->bonds, bond);
}

/* Those of all cells, sorted: cells that have the same two vertices are next to each other. */
static bool list_springs(const soft_builder *b, float mu, springs *all)
{
    uint32_t cells = b->cells.n[0] * b->cells.n[1] * b->cells.n[2];
    bool ok = true;
    for (uint32_t i = 0; i < cells && ok; i++)
        for (int axis = 0; axis < 3 && b->cells.in[i] && ok; axis++)
            ok = put_edges(b, all, i, axis, mu) && put_diagonals(b, all, i, axis, mu);
    if (ok && all->count) qsort(all->items, all->count, sizeof(spring), compare);
    return ok;
}

static bool put_springs(soft_builder *b, float mu)
{
    springs all = {0};
    bool ok = list_springs(b, mu, &all);
    for (size_t i = 0; i < all.count && ok;) {
        const spring *s = &all.items[i];
        float stiffness = 0.0f;
        for (; i < all.count && compare(&all.items[i], s) == 0; i++)
            stiffness += all.items[i].stiffness;
        ok = put_stretch(b, s, stiffness);
    }
    BASE_ARRAY_FREE(&all);
    return ok;
}

/* What a mesh that the body wears is carried by: where springs would be. */
static bool put_links(soft_builder *b)
{
    springs all = {0};
    bool ok = list_springs(b, 1.0f, &all);
    for (size_t i = 0; i < all.count && ok; i++)
        if (i == 0 || compare(&all.items[i - 1], &all.items[i]))
            ok = BASE_PUSH(&b->set->links, ((soft_link){all.items[i].low, all.items[i].high}));
    BASE_ARRAY_FREE(&all);
    return ok;
}

/* `bulk`, Pa: what the springs leave to be added. Each of the two tetrahedra of a cell, a third of
 * it, stands for half of it. */
static bool put_volumes(soft_builder *b, double bulk)
{
    uint32_t cells = b->cells.n[0] * b->cells.n[1] * b->cells.n[2], v[2][4];
    bool ok = true;
    for (uint32_t i = 0; i < cells && ok; i++) {
        if (!b->cells.in[i]) continue;
        soft_inscribed(b, &b->cells, i, v);
        for (int t = 0; t < 2 && ok; t++) {
            double rest = soft_tetrahedron(b->set, v[t]);
            const struct soft_bond bond = {.vertices = {v[t][0], v[t][1], v[t][2], v[t][3]},
                                           .rest = (float)rest,
                                           .compliance = (float)(rest / (1.5 * bulk)),
                                           .kind = SOFT_VOLUME,
                                           .flag = SOFT_NONE};
            if (rest > 0.0) ok = BASE_PUSH(&b->set->bonds, bond);
        }
    }
    return ok;
}

/* In position-based dynamics all springs and volumes have one stiffness, and there is no modulus
 * that they would have to agree on. */
static bool bind_by_share(soft_builder *b)
{
    size_t first = b->set->bonds.count;
    bool ok = put_springs(b, 1.0f) && put_volumes(b, 1.0); /* compliances are set below */
    for (size_t i = first; i < b->set->bonds.count; i++)
        b->set->bonds.items[i].compliance = -b->soft->pbd_stiffness;
    return ok;
}

static bool bind_by_moduli(soft_builder *b)
{
    double e = (double)b->soft->stiffness * b->cells.share, nu = (double)b->soft->poisson;
    double mu = e / (2.0 * (1.0 + nu)), lame = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    bool ok = put_springs(b, (float)mu);
    if (ok && lame > 1.001 * mu) ok = put_volumes(b, lame - mu);
    return ok;
}

weir_result soft_bind_body(soft_builder *b)
{
    const scene_soft *s = b->soft;
    bool ok = s->cluster_m > 0.0f       ? put_links(b)
              : s->pbd_stiffness > 0.0f ? bind_by_share(b)
                                        : bind_by_moduli(b);
    if (!ok)
        return base_fail(b->log, WEIR_MEMORY, "no memory for the constraints of '%s'", s->name);
    return s->cluster_m > 0.0f ? soft_build_clusters(b) : WEIR_OK;
}
