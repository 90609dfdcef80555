#include "ref_coarse.h"

/* A cell by its index on each axis. */
typedef struct index3 {
    int x[3];
} index3;

static int count_of(const struct sim_params *p, int axis)
{
    const uint32_t counts[3] = {p->coarse_cells.x, p->coarse_cells.y, p->coarse_cells.z};
    return (int)counts[axis];
}

static float size_of(const struct sim_params *p, int axis)
{
    const float sizes[3] = {p->coarse_size.x, p->coarse_size.y, p->coarse_size.z};
    return sizes[axis];
}

static uint32_t index_of(const struct sim_params *p, index3 at)
{
    return (uint32_t)(at.x[0] + count_of(p, 0) * (at.x[1] + count_of(p, 1) * at.x[2]));
}

static index3 index3_of(const struct sim_params *p, uint32_t cell)
{
    int i = (int)cell, n = count_of(p, 0), m = count_of(p, 1);
    return (index3){{i % n, i / n % m, i / (n * m)}};
}

uint32_t ref_cell_gap(const ref_pbf *pbf, uint32_t cell)
{
    const struct sim_params *p = pbf->params;
    index3 at = index3_of(p, cell);
    vec3 middle = {p->domain_min.x + ((float)at.x[0] + 0.5f) * p->coarse_size.x,
                   p->domain_min.y + ((float)at.x[1] + 0.5f) * p->coarse_size.y,
                   p->domain_min.z + ((float)at.x[2] + 0.5f) * p->coarse_size.z};
    float size = fminf(p->coarse_size.x, p->coarse_size.y), nearest = INFINITY;
    if (p->planar)
        middle.z = p->plane;
    else
        size = fminf(size, p->coarse_size.z);
    for (uint32_t i = 0; i < p->solid_count; i++) {
        const ref_ball *ball = &pbf->balls[i];
        quat turn = {ball->pose.rotation.x, ball->pose.rotation.y, ball->pose.rotation.z,
                     ball->pose.rotation.w};
        vec3 from = {ball->pose.position.x, ball->pose.position.y, ball->pose.position.z};
        vec3 local = quat_rotate(quat_conjugate(turn), vec3_sub(middle, from));
        nearest = fminf(nearest, vec3_length(vec3_sub(local, ball->centre)) - ball->radius);
    }
    float gap = fminf(fmaxf(nearest / size, -SIM_CELL_GAP_MOST), SIM_CELL_GAP_MOST);
    return (uint32_t)rintf((gap + SIM_CELL_GAP_MOST) * SIM_CELL_GAP_STEPS);
}

/* How much of a cell a plane at its gap leaves open. */
static float gap_of(ref_cell cell)
{
    return (float)(cell.count >> SIM_CELL_GAP_SHIFT) / SIM_CELL_GAP_STEPS - SIM_CELL_GAP_MOST;
}

static float open_share(float gap)
{
    return fminf(fmaxf(gap + 0.5f, 0.0f), 1.0f);
}

bool ref_cell_is_solid(ref_cell cell)
{
    return open_share(gap_of(cell)) < SIM_CELL_OPEN_LEAST;
}

uint32_t ref_cell_of(const struct sim_params *p, vec3 x)
{
    const float from[3] = {x.x - p->domain_min.x, x.y - p->domain_min.y, x.z - p->domain_min.z};
    index3 at;
    for (int axis = 0; axis < 3; axis++) {
        int cell = (int)(from[axis] / size_of(p, axis)), most = count_of(p, axis) - 1;
        at.x[axis] = cell < 0 ? 0 : cell > most ? most : cell;
    }
    return index_of(p, at);
}

/* 0 closed, 1 open, 2 periodic. */
static uint32_t kind_of(const struct sim_params *p, int axis, bool upper)
{
    return p->sides >> (4 * axis + (upper ? 2 : 0)) & 3u;
}

/* Pressure across a face of cell `own`, and the share of the face that is open. */
typedef struct across {
    float pressure, share;
} across;

static across neighbour(const ref_cells *c, index3 at, int axis, uint32_t own)
{
    int count = count_of(c->params, axis);
    bool below = at.x[axis] < 0, above = at.x[axis] >= count;
    if (below || above) {
        uint32_t kind = kind_of(c->params, axis, above);
        if (kind == 0u) return (across){c->pressures[own], 1.0f};
        if (kind != 2u) return (across){0.0f, 1.0f};
        at.x[axis] = below ? count - 1 : 0;
    }
    uint32_t cell = index_of(c->params, at);
    float share = open_share(0.5f * (gap_of(c->cells[own]) + gap_of(c->cells[cell])));
    if (share == 0.0f || ref_cell_is_solid(c->cells[cell]))
        return (across){c->pressures[own], 0.0f};
    return (across){c->pressures[cell], share};
}

static index3 beside(index3 at, int axis, int step)
{
    at.x[axis] += step;
    return at;
}

float ref_cell_sweep(const ref_cells *c, uint32_t cell)
{
    const struct sim_params *p = c->params;
    uint32_t count = c->cells[cell].count & SIM_CELL_COUNT;
    float own = c->pressures[cell], weights = 0.0f, open = open_share(gap_of(c->cells[cell]));
    index3 at = index3_of(p, cell);
    if (ref_cell_is_solid(c->cells[cell]) || (float)count < p->coarse_size.w * open) return 0.0f;
    float sum = open * fmaxf((float)c->cells[cell].sum / (SIM_CELL_UNITS * (float)count), 0.0f);
    for (int axis = 0; axis < (p->planar ? 2 : 3); axis++) {
        float weight = 1.0f / (size_of(p, axis) * size_of(p, axis));
        for (int step = -1; step <= 1; step += 2) {
            across other = neighbour(c, beside(at, axis, step), axis, cell);
            sum += weight * (own + other.share * (other.pressure - own));
        }
        weights += 2.0f * weight;
    }
    return sum / weights;
}

/* Minus the slope at the lower face of `at`, which may be one past the last cell. */
static float face(const ref_cells *c, index3 at, int axis)
{
    index3 low = beside(at, axis, -1);
    bool first = low.x[axis] < 0;
    uint32_t cell = index_of(c->params, first ? at : low);
    float own = c->pressures[cell], size = size_of(c->params, axis);
    if (ref_cell_is_solid(c->cells[cell])) return 0.0f;
    float other = neighbour(c, first ? low : at, axis, cell).pressure;
    return (first ? other - own : own - other) / size;
}

static int held(const struct sim_params *p, int index, int axis)
{
    int count = count_of(p, axis);
    if (kind_of(p, axis, false) == 2u) return (index + count) % count;
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static float displacement(const ref_cells *c, const float at[3], int axis)
{
    int low[3];
    float share[3], sum = 0.0f;
    for (int k = 0; k < 3; k++) {
        float from = k == axis ? at[k] : at[k] - 0.5f;
        low[k] = (int)floorf(from);
        share[k] = from - (float)low[k];
    }
    for (int corner = 0; corner < 8; corner++) {
        index3 cell;
        float weight = 1.0f;
        for (int k = 0; k < 3; k++) {
            int step = corner >> k & 1, index = low[k] + step, count = count_of(c->params, k);
            weight *= step ? share[k] : 1.0f - share[k];
            cell.x[k] = k != axis       ? held(c->params, index, k)
                        : index < 0     ? 0
                        : index > count ? count
                                        : index;
        }
        sum += weight * face(c, cell, axis);
    }
    return sum;
}

vec3 ref_cell_move(const ref_cells *c, vec3 x)
{
    const struct sim_params *p = c->params;
    const float at[3] = {(x.x - p->domain_min.x) / p->coarse_size.x,
                         (x.y - p->domain_min.y) / p->coarse_size.y,
                         (x.z - p->domain_min.z) / p->coarse_size.z};
    vec3 move = {displacement(c, at, 0), displacement(c, at, 1),
                 p->planar ? 0.0f : displacement(c, at, 2)};
    float size = vec3_length(move);
    return size > p->correction_cap ? vec3_scale(move, p->correction_cap / size) : move;
}
