#include "ref_poisson.h"

#include <stdlib.h>

static float line_open_fraction(float a, float b)
{
    if (a > 0.0f && b > 0.0f) return 1.0f;
    if (a <= 0.0f && b <= 0.0f) return 0.0f;
    return fmaxf(a, b) / (fmaxf(a, b) - fminf(a, b));
}

static float line_value(const float f[4], float t)
{
    return line_open_fraction(f[0] + t * (f[2] - f[0]), f[1] + t * (f[3] - f[1]));
}

/* Returns the position at which the line from a to b changes its sign. */
static float end_resistance(float a, float b, float other)
{
    return (a > 0.0f) != (b > 0.0f) ? a / (a - b) : other;
}

float ref_square_open_fraction(const float f[4])
{
    float left = end_resistance(f[0], f[2], 0.0f), right = end_resistance(f[1], f[3], 1.0f);
    const float at[4] = {0.0f, fminf(left, right), fmaxf(left, right), 1.0f};
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += (at[k + 1] - at[k]) * line_value(f, 0.5f * (at[k] + at[k + 1]));
    return sum;
}

typedef struct index3 {
    uint32_t x[3];
} index3;

size_t ref_poisson_cells(const ref_poisson_level *level)
{
    return (size_t)level->n[0] * level->n[1] * level->n[2];
}

static index3 index3_of(const ref_poisson_level *level, size_t cell)
{
    size_t n = level->n[0], m = level->n[1];
    return (index3){{(uint32_t)(cell % n), (uint32_t)(cell / n % m), (uint32_t)(cell / (n * m))}};
}

static size_t cell_of(const ref_poisson_level *level, index3 at)
{
    return at.x[0] + (size_t)level->n[0] * (at.x[1] + (size_t)level->n[1] * at.x[2]);
}

/* Finds the neighbour of a cell; sides are in the order -x +x -y +y -z +z. */
static bool neighbour_cell(const ref_poisson *p, uint32_t l, size_t cell, int side, size_t *other)
{
    const ref_poisson_level *level = &p->levels[l];
    index3 at = index3_of(level, cell);
    int axis = side / 2;
    uint32_t last = level->n[axis] - 1;
    bool up = side % 2 == 1;
    if (at.x[axis] == (up ? last : 0)) {
        if (!(p->params.periodic >> axis & 1)) return false;
        at.x[axis] = up ? 0 : last;
    } else {
        at.x[axis] += up ? 1u : UINT32_MAX;
    }
    *other = cell_of(level, at);
    return true;
}

float ref_axis_component(vec4 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

void ref_poisson_create(ref_poisson *p, const struct poisson_params *params)
{
    *p = (ref_poisson){.params = *params};
    for (uint32_t l = 0; l < params->levels; l++) {
        ref_poisson_level *level = &p->levels[l];
        level->n[0] = params->cells[l].x;
        level->n[1] = params->cells[l].y;
        level->n[2] = params->cells[l].z;
        size_t count = ref_poisson_cells(level);
        level->coefficients = base_alloc(count, sizeof *level->coefficients);
        level->links = base_alloc(count, sizeof *level->links);
        level->sources = base_alloc(count, sizeof(float));
        level->guesses = base_alloc(count, sizeof(float));
        level->swept = base_alloc(count, sizeof(float));
        if (!level->coefficients || !level->links || !level->sources || !level->guesses ||
            !level->swept)
            abort();
    }
}

void ref_poisson_free(ref_poisson *p)
{
    for (uint32_t l = 0; l < p->params.levels; l++) {
        base_free(p->levels[l].coefficients);
        base_free(p->levels[l].links);
        base_free(p->levels[l].sources);
        base_free(p->levels[l].guesses);
        base_free(p->levels[l].swept);
    }
}

/* ---- coefficients --------------------------------------------------------------------------- */

static void assemble(ref_poisson *p, const ref_poisson_cell *cells, size_t cell)
{
    const ref_poisson_cell *own = &cells[cell];
    const float weights[3] = {p->params.weights.x, p->params.weights.y, p->params.weights.z};
    float low[3] = {0}, air[3] = {0}, sum = 0.0f;
    for (int side = 0; side < 6 && own->level_set < 0.0f; side++) {
        size_t other = SIZE_MAX;
        float open = own->open[side] * weights[side / 2];
        float outside = neighbour_cell(p, 0, cell, side, &other) ? cells[other].level_set : 0.0f;
        if (other == cell) continue;
        if (outside < 0.0f) {
            sum += open;
            if (side % 2 == 0) low[side / 2] = open;
        } else if (outside < POISSON_CLOSED) {
            air[side / 2] +=
                open / fmaxf(own->level_set / (own->level_set - outside), POISSON_MIN_THETA);
        }
    }
    sum = sum + air[0] + air[1] + air[2];
    p->levels[0].coefficients[cell] = (vec4){low[0], low[1], low[2], sum};
    p->levels[0].links[cell] = (vec4){air[0], air[1], air[2], 0.0f};
}

/* The fine cells below a coarse one, at most eight, and the axes on which each is the upper one. */
typedef struct fine_cells {
    size_t cells[8];
    bool upper[8][3];
    int count;
} fine_cells;

static fine_cells find_fine_cells(const ref_poisson *p, uint32_t l, size_t cell)
{
    const ref_poisson_level *above = &p->levels[l], *below = &p->levels[l - 1];
    fine_cells f = {.count = 0};
    index3 at = index3_of(above, cell);
    for (uint32_t child = 0; child < 8; child++) {
        index3 to;
        bool there = true;
        for (int axis = 0; axis < 3; axis++) {
            uint32_t offset = child >> axis & 1, halved = below->n[axis] > 1;
            to.x[axis] = (at.x[axis] << halved) + offset;
            there = there && offset <= halved && to.x[axis] < below->n[axis];
            f.upper[f.count][axis] = offset;
        }
        if (there) f.cells[f.count++] = cell_of(below, to);
    }
    return f;
}

/* Sums along an axis, across the lower face of the joined cell and inside it. */
typedef struct fine_coefficients {
    float low, inner;
} fine_coefficients;

static fine_coefficients sum_fine_coefficients(const ref_poisson *p, uint32_t l, size_t cell,
                                               int axis)
{
    fine_cells f = find_fine_cells(p, l, cell);
    fine_coefficients sum = {0};
    for (int i = 0; i < f.count; i++) {
        float own = ref_axis_component(p->levels[l - 1].coefficients[f.cells[i]], axis);
        *(f.upper[i][axis] ? &sum.inner : &sum.low) += own;
    }
    return sum;
}

static float half_cell_resistance(float crossing, float inner)
{
    return inner > 0.0f ? 0.5f * crossing / inner : 0.0f;
}

static float face_conductance(float crossing, float inner, float other_inner)
{
    float share = 1.0f / (1.0f + half_cell_resistance(crossing, inner) +
                          half_cell_resistance(crossing, other_inner));
    return crossing * fminf(1.0f, 1.05f * fmaxf(0.5f, share));
}

static void coarsen(ref_poisson *p, uint32_t l, size_t cell)
{
    fine_cells f = find_fine_cells(p, l, cell);
    float low[3] = {0}, air[3] = {0}, sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        fine_coefficients own = sum_fine_coefficients(p, l, cell, axis);
        size_t other;
        float high = 0.0f;
        for (int i = 0; i < f.count; i++)
            air[axis] += ref_axis_component(p->levels[l - 1].links[f.cells[i]], axis);
        if (neighbour_cell(p, l, cell, 2 * axis, &other) && other != cell)
            low[axis] = face_conductance(own.low, own.inner,
                                         sum_fine_coefficients(p, l, other, axis).inner);
        if (neighbour_cell(p, l, cell, 2 * axis + 1, &other) && other != cell) {
            fine_coefficients next = sum_fine_coefficients(p, l, other, axis);
            high = face_conductance(next.low, next.inner, own.inner);
        }
        air[axis] *= fmaxf(0.5f, 1.0f / (1.0f + half_cell_resistance(air[axis], own.inner)));
        sum += low[axis] + high + air[axis];
    }
    p->levels[l].coefficients[cell] = (vec4){low[0], low[1], low[2], sum};
    p->levels[l].links[cell] = (vec4){air[0], air[1], air[2], 0.0f};
}

void ref_poisson_setup(ref_poisson *p, const ref_poisson_cell *cells)
{
    for (size_t i = 0; i < ref_poisson_cells(&p->levels[0]); i++)
        assemble(p, cells, i);
    for (uint32_t l = 1; l < p->params.levels; l++)
        for (size_t i = 0; i < ref_poisson_cells(&p->levels[l]); i++)
            coarsen(p, l, i);
}

/* ---- the V-cycle ---------------------------------------------------------------------------- */

static float neighbours(const ref_poisson *p, uint32_t l, size_t cell, const float *x)
{
    const vec4 *coefficients = p->levels[l].coefficients;
    float sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        size_t other;
        if (neighbour_cell(p, l, cell, 2 * axis, &other))
            sum += ref_axis_component(coefficients[cell], axis) * x[other];
        if (neighbour_cell(p, l, cell, 2 * axis + 1, &other))
            sum += ref_axis_component(coefficients[other], axis) * x[other];
    }
    return sum;
}

double ref_poisson_multiply(const ref_poisson *p, uint32_t l, size_t cell, const float *x)
{
    const vec4 *coefficients = p->levels[l].coefficients;
    double sum = (double)coefficients[cell].w * (double)x[cell];
    if (!(coefficients[cell].w > 0.0f)) return 0.0;
    for (int axis = 0; axis < 3; axis++) {
        size_t other;
        if (neighbour_cell(p, l, cell, 2 * axis, &other))
            sum -= (double)ref_axis_component(coefficients[cell], axis) * (double)x[other];
        if (neighbour_cell(p, l, cell, 2 * axis + 1, &other))
            sum -= (double)ref_axis_component(coefficients[other], axis) * (double)x[other];
    }
    return sum;
}

static float step_of(const ref_poisson *p, uint32_t sweep)
{
    const float steps[4] = {p->params.sweeps.x, p->params.sweeps.y, p->params.sweeps.z,
                            p->params.sweeps.w};
    return steps[sweep];
}

void ref_poisson_smooth_from_zero(ref_poisson *p, uint32_t l)
{
    ref_poisson_level *level = &p->levels[l];
    for (size_t i = 0; i < ref_poisson_cells(level); i++) {
        float sum = level->coefficients[i].w;
        level->guesses[i] = sum > 0.0f ? step_of(p, 0) * level->sources[i] / sum : 0.0f;
    }
}

static void swap_smoothed(ref_poisson_level *level)
{
    float *newer = level->swept;
    level->swept = level->guesses;
    level->guesses = newer;
}

void ref_poisson_smooth(ref_poisson *p, uint32_t l, uint32_t sweep)
{
    ref_poisson_level *level = &p->levels[l];
    for (size_t i = 0; i < ref_poisson_cells(level); i++) {
        float sum = level->coefficients[i].w, x = level->guesses[i];
        level->swept[i] = 0.0f;
        if (!(sum > 0.0f)) continue;
        float wanted = (level->sources[i] + neighbours(p, l, i, level->guesses)) / sum;
        level->swept[i] = x + step_of(p, sweep) * (wanted - x);
    }
    swap_smoothed(level);
}

void ref_poisson_restrict(ref_poisson *p, uint32_t l)
{
    ref_poisson_level *level = &p->levels[l], *below = &p->levels[l - 1];
    for (size_t i = 0; i < ref_poisson_cells(level); i++) {
        fine_cells f = find_fine_cells(p, l, i);
        float sum = 0.0f;
        for (int k = 0; k < f.count; k++) {
            size_t child = f.cells[k];
            float own = below->coefficients[child].w;
            if (own > 0.0f)
                sum += below->sources[child] - own * below->guesses[child] +
                       neighbours(p, l - 1, child, below->guesses);
        }
        level->sources[i] = sum;
    }
}

void ref_poisson_prolong(ref_poisson *p, uint32_t l)
{
    ref_poisson_level *level = &p->levels[l], *above = &p->levels[l + 1];
    for (size_t i = 0; i < ref_poisson_cells(level); i++) {
        index3 at = index3_of(level, i);
        for (int axis = 0; axis < 3; axis++)
            at.x[axis] >>= level->n[axis] > 1;
        if (level->coefficients[i].w > 0.0f)
            level->guesses[i] += above->guesses[cell_of(above, at)];
    }
}

/* Runs the Chebyshev semi-iteration for eigenvalues from 0.02 to 2. */
void ref_poisson_solve_coarsest(ref_poisson *p)
{
    uint32_t l = p->params.levels - 1;
    ref_poisson_level *level = &p->levels[l];
    float middle = 1.01f, radius = 0.99f, rho = radius / middle;
    float moves[POISSON_BLOCK_CELLS] = {0};
    size_t count = ref_poisson_cells(level);
    for (size_t i = 0; i < count; i++) {
        float sum = level->coefficients[i].w;
        level->guesses[i] = moves[i] = sum > 0.0f ? level->sources[i] / (sum * middle) : 0.0f;
    }
    for (uint32_t sweep = 1; sweep < POISSON_COARSEST_SWEEPS; sweep++) {
        float next = 1.0f / (2.0f * middle / radius - rho);
        for (size_t i = 0; i < count; i++) {
            float sum = level->coefficients[i].w, gap = 0.0f;
            if (sum > 0.0f)
                gap = (level->sources[i] + neighbours(p, l, i, level->guesses)) / sum -
                      level->guesses[i];
            moves[i] = next * (rho * moves[i] + 2.0f / radius * gap);
        }
        for (size_t i = 0; i < count; i++)
            level->guesses[i] += moves[i];
        rho = next;
    }
}

void ref_poisson_vcycle(ref_poisson *p)
{
    uint32_t bottom = p->params.levels - 1;
    for (uint32_t l = 0; l < bottom; l++) {
        ref_poisson_smooth_from_zero(p, l);
        for (uint32_t sweep = 1; sweep < POISSON_SWEEPS; sweep++)
            ref_poisson_smooth(p, l, sweep);
        ref_poisson_restrict(p, l + 1);
    }
    ref_poisson_solve_coarsest(p);
    for (uint32_t l = bottom; l-- > 0;) {
        ref_poisson_prolong(p, l);
        for (uint32_t sweep = POISSON_SWEEPS; sweep-- > 0;)
            ref_poisson_smooth(p, l, sweep);
    }
}
