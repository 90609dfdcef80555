/* Constraints of a soft body: springs along the edges and face diagonals of its cells, which
 * together form an isotropic material with equal Lame parameters (Poisson's ratio 1/4), and volume
 * constraints, which add the rest of its bulk modulus (docs/equations.md). Alternatively clusters,
 * which have no moduli. */
#include "soft_body_lattice.h"

#include <stdlib.h>

/* minimum factor of a spring along a long edge, if cells are far from cubes */
#define MIN_EDGE_FACTOR 0.05f

/* The part of a spring that belongs to one cell. */
typedef struct spring {
    uint32_t low, high; /* vertices */
    float stiffness;    /* N/m */
} spring;

typedef BASE_ARRAY(spring) springs;

static int compare_springs(const void *a, const void *b)
{
    const spring *s = a, *t = b;
    if (s->low != t->low) return s->low < t->low ? -1 : 1;
    return s->high < t->high ? -1 : s->high > t->high;
}

static bool append_spring(springs *all, uint32_t i, uint32_t j, float stiffness)
{
    return BASE_ARRAY_PUSH(all, ((spring){i < j ? i : j, i < j ? j : i, stiffness}));
}

/* Appends a cell's part, a quarter, of the springs along its four edges on an axis. `mu`: shear
 * modulus, Pa. */
static bool append_edge_springs(const deformable_builder *b, springs *all, uint32_t cell, int axis,
                                float mu)
{
    const soft_body_cells *c = &b->cells;
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    float a = c->step[axis], ay = a / c->step[y], az = a / c->step[z];
    float area = c->step[y] * c->step[z];
    float share = fmaxf(3.0f - ay * ay - az * az, MIN_EDGE_FACTOR);
    float stiffness = 0.25f * mu * share * area / a;
    bool ok = true;
    for (uint32_t k = 0; k < 4 && ok; k++) {
        uint32_t corner = (k & 1u) << y | (k >> 1) << z;
        ok = append_spring(all, soft_body_cell_corner(b, c, cell, corner),
                           soft_body_cell_corner(b, c, cell, corner | 1u << axis), stiffness);
    }
    return ok;
}

/* Appends a cell's part, a half, of the springs along the diagonals of its two faces across an
 * axis. */
static bool append_diagonal_springs(const deformable_builder *b, springs *all, uint32_t cell,
                                    int axis, float mu)
{
    const soft_body_cells *c = &b->cells;
    uint32_t y = (uint32_t)(axis + 1) % 3, z = (uint32_t)(axis + 2) % 3;
    float h = c->step[axis], one = c->step[y], two = c->step[z];
    float stiffness = 0.5f * mu * (one * one + two * two) * h / (2.0f * one * two);
    bool ok = true;
    for (uint32_t side = 0; side < 2 && ok; side++) {
        uint32_t at = side << axis;
        ok = append_spring(all, soft_body_cell_corner(b, c, cell, at),
                           soft_body_cell_corner(b, c, cell, at | 1u << y | 1u << z), stiffness) &&
             append_spring(all, soft_body_cell_corner(b, c, cell, at | 1u << y),
                           soft_body_cell_corner(b, c, cell, at | 1u << z), stiffness);
    }
    return ok;
}

static bool append_spring_constraint(deformable_builder *b, const spring *s, float stiffness)
{
    vec3 along = vec3_sub(deformable_initial_position(b->set, s->low),
                          deformable_initial_position(b->set, s->high));
    const struct deformable_constraint constraint = {
        .vertices = {s->low, s->high, DEFORMABLE_NONE, DEFORMABLE_NONE},
        .coefficients = {1.0f, -1.0f, 0.0f, 0.0f},
        .rest = vec3_length(along),
        .compliance = 1.0f / stiffness,
        .kind = DEFORMABLE_STRETCH,
        .tear_flag = DEFORMABLE_NONE};
    return BASE_ARRAY_PUSH(&b->set->constraints, constraint);
}

/* Lists the springs of all cells, sorted, so that those between the same two vertices are next to
 * each other. */
static bool list_springs(const deformable_builder *b, float mu, springs *all)
{
    uint32_t cells = b->cells.cell_count[0] * b->cells.cell_count[1] * b->cells.cell_count[2];
    bool ok = true;
    for (uint32_t i = 0; i < cells && ok; i++)
        for (int axis = 0; axis < 3 && b->cells.in[i] && ok; axis++)
            ok = append_edge_springs(b, all, i, axis, mu) &&
                 append_diagonal_springs(b, all, i, axis, mu);
    if (ok && all->count) qsort(all->items, all->count, sizeof(spring), compare_springs);
    return ok;
}

static bool append_spring_constraints(deformable_builder *b, float mu)
{
    springs all = {0};
    bool ok = list_springs(b, mu, &all);
    for (size_t i = 0; i < all.count && ok;) {
        const spring *s = &all.items[i];
        float stiffness = 0.0f;
        for (; i < all.count && compare_springs(&all.items[i], s) == 0; i++)
            stiffness += all.items[i].stiffness;
        ok = append_spring_constraint(b, s, stiffness);
    }
    BASE_ARRAY_FREE(&all);
    return ok;
}

/* Links the vertices that springs would join, by which a skinned mesh is deformed. */
static bool append_skin_links(deformable_builder *b)
{
    springs all = {0};
    bool ok = list_springs(b, 1.0f, &all);
    for (size_t i = 0; i < all.count && ok; i++)
        if (i == 0 || compare_springs(&all.items[i - 1], &all.items[i]))
            ok = BASE_ARRAY_PUSH(&b->set->links,
                                 ((deformable_vertex_link){all.items[i].low, all.items[i].high}));
    BASE_ARRAY_FREE(&all);
    return ok;
}

/* Appends volume constraints. `bulk`: the part of the bulk modulus that the springs lack, Pa. Each
 * of a cell's two tetrahedra has a third of the cell's volume and stands for half of it. */
static bool append_volume_constraints(deformable_builder *b, double bulk)
{
    uint32_t cells = b->cells.cell_count[0] * b->cells.cell_count[1] * b->cells.cell_count[2],
             v[2][4];
    bool ok = true;
    for (uint32_t i = 0; i < cells && ok; i++) {
        if (!b->cells.in[i]) continue;
        soft_body_cell_tetrahedra(b, &b->cells, i, v);
        for (int t = 0; t < 2 && ok; t++) {
            double rest = tetrahedron_volume(b->set, v[t]);
            const struct deformable_constraint constraint = {
                .vertices = {v[t][0], v[t][1], v[t][2], v[t][3]},
                .rest = (float)rest,
                .compliance = (float)(rest / (1.5 * bulk)),
                .kind = DEFORMABLE_VOLUME,
                .tear_flag = DEFORMABLE_NONE};
            if (rest > 0.0) ok = BASE_ARRAY_PUSH(&b->set->constraints, constraint);
        }
    }
    return ok;
}

/* Builds constraints for position-based dynamics: all springs and volumes have the same stiffness,
 * so there are no moduli to match. */
static bool build_pbd_constraints(deformable_builder *b)
{
    size_t first = b->set->constraints.count;
    bool ok = append_spring_constraints(b, 1.0f) &&
              append_volume_constraints(b, 1.0); /* compliances are set below */
    for (size_t i = first; i < b->set->constraints.count; i++)
        b->set->constraints.items[i].compliance = -b->deformable->pbd_stiffness;
    return ok;
}

static bool build_xpbd_constraints(deformable_builder *b)
{
    double e = (double)b->deformable->stiffness * b->cells.volume_ratio,
           nu = (double)b->deformable->poisson_ratio;
    double mu = e / (2.0 * (1.0 + nu)), lame = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    bool ok = append_spring_constraints(b, (float)mu);
    if (ok && lame > 1.001 * mu) ok = append_volume_constraints(b, lame - mu);
    return ok;
}

weir_result soft_body_build_constraints(deformable_builder *b)
{
    const scene_deformable *s = b->deformable;
    bool ok = s->cluster_radius_m > 0.0f ? append_skin_links(b)
              : s->pbd_stiffness > 0.0f  ? build_pbd_constraints(b)
                                         : build_xpbd_constraints(b);
    if (!ok)
        return base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for the constraints of '%s'",
                         s->name);
    return s->cluster_radius_m > 0.0f ? deformable_build_clusters(b) : WEIR_OK;
}
