// Solves the levels from pass.constant to the coarsest by the same V-cycle as the passes over one level, in
// one workgroup, because a dispatch would take longer than a step on so few cells. The coarsest level, which
// is one block, is solved by Chebyshev's semi-iteration (Golub and Varga 1961) with Jacobi scaling.
//
// The values of a level are in shared memory. An invocation alone reads and writes its cells' elements of the
// buffers, so no step waits for memory.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(right_sides);
UPDATE_ANY(vcycle_solutions);
WRITE_ANY(smoothed);
SHARE_ANY(block_sums);

const uint LEVEL_CELLS = POISSON_COARSE_BLOCKS * POISSON_BLOCK_CELLS; // at most
// x or the residual of the cells of a level: what the last step has written, and what this one writes
shared float values[2u * LEVEL_CELLS];
uint written = 0u; // first element of what the last step has written
uint first_cell; // of the level of those elements
#define VCYCLE_VALUE(i) values[written + (i) - first_cell]
#include "poisson/cg_scalars.glsl"
#include "poisson/residual.glsl"
#include "poisson/sweep.glsl"
DEFINE_SWEEP(sweep_value, VCYCLE_VALUE)

// Ends a step that has written values of a level: the next one may read them all.
void end_step(uint level)
{
    barrier();
    written ^= LEVEL_CELLS;
    first_cell = solve.firsts[level] * POISSON_BLOCK_CELLS;
}

// Runs a statement for each cell of a level: `block`, `cell`, the index `i` of both, and the index `n` in the
// level.
#define FOR_EACH_CELL(level, statement) \
    for (uint n = gl_LocalInvocationIndex, first = solve.firsts[level] * POISSON_BLOCK_CELLS, \
              count = solve.firsts[level + 1u] * POISSON_BLOCK_CELLS - first; \
         n < count; n += POISSON_WORKGROUP) { \
        uint i = first + n, block = i / POISSON_BLOCK_CELLS, cell = i % POISSON_BLOCK_CELLS; \
        statement; \
    }
// A step: computes a value of each cell of a level.
#define STEP(level, value) \
    { \
        FOR_EACH_CELL(level, values[(written ^ LEVEL_CELLS) + n] = value) \
        end_step(level); \
    }

// Range of eigenvalues that the iteration damps; no eigenvalue of the scaled matrix exceeds 2.
const float HIGH = 2.0, LOW = 0.02;
const float MIDDLE = 0.5 * (HIGH + LOW), RADIUS = 0.5 * (HIGH - LOW);

// The equation of a cell of the coarsest level. A missing neighbour is the cell itself, with coefficient 0.
struct coarsest_equation {
    float right_side, sum, coefficients[6];
    uint neighbours[6];
};

coarsest_equation load_equation(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    vec4 own = coefficients[i];
    coarsest_equation found;
    found.right_side = right_sides[i];
    found.sum = own.w;
    for (uint side = 0u; side < 6u; side++) {
        uint other = poisson_neighbour_cell(block, cell, side);
        bool missing = other == POISSON_NONE;
        float crossing = (side & 1u) == 0u ? own[side >> 1] : coefficients[missing ? i : other][side >> 1];
        found.coefficients[side] = missing ? 0.0 : crossing;
        found.neighbours[side] = (missing ? i : other) % POISSON_BLOCK_CELLS;
    }
    return found;
}

// Returns the Jacobi iteration's change of x.
float coarsest_gap(coarsest_equation own, float x)
{
    float neighbours = 0.0;
    for (uint side = 0u; side < 6u; side++)
        neighbours += own.coefficients[side] * values[written + own.neighbours[side]];
    return own.sum > 0.0 ? (own.right_side + neighbours) / own.sum - x : 0.0;
}

void store_coarsest(uint level, vec2 x)
{
    uint i = (written ^ LEVEL_CELLS) + gl_LocalInvocationIndex;
    values[i] = x.x;
    values[i + POISSON_WORKGROUP] = x.y;
    end_step(level);
}

void solve_coarsest(uint level)
{
    uint block = solve.firsts[level], first = gl_LocalInvocationIndex, second = first + POISSON_WORKGROUP;
    coarsest_equation a = load_equation(block, first), b = load_equation(block, second);
    vec2 moves = vec2(a.sum > 0.0 ? a.right_side / (a.sum * MIDDLE) : 0.0,
                      b.sum > 0.0 ? b.right_side / (b.sum * MIDDLE) : 0.0), x = moves;
    float rho = RADIUS / MIDDLE;
    store_coarsest(level, x);
    for (uint sweep = 1u; sweep < POISSON_COARSEST_SWEEPS; sweep++) {
        float next = 1.0 / (2.0 * MIDDLE / RADIUS - rho);
        vec2 gaps = vec2(coarsest_gap(a, x.x), coarsest_gap(b, x.y));
        moves = next * (rho * moves + 2.0 / RADIUS * gaps);
        rho = next;
        x += moves;
        store_coarsest(level, x);
    }
}

// Returns the right-hand side of a cell of `level`: the sum of the residuals of the joined cells of the next
// finer level, which the last step has written.
float restricted_residual(uint block, uint cell, uint level)
{
    float sum = 0.0;
    for (uint child = 0u; child < 8u; child++) {
        uint below = fine_cell(block, cell, level, child);
        if (below != POISSON_NONE) sum += VCYCLE_VALUE(below);
    }
    return sum;
}

// Returns x of a cell plus the solution of the next coarser level, which the last step has written.
float prolonged_value(uint block, uint cell, uint level)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    float x = vcycle_solutions[i];
    if (coefficients[i].w > 0.0) x += VCYCLE_VALUE(coarse_cell(block, cell, level));
    return x;
}

void descend(uint level)
{
    STEP(level, first_sweep_value(i))
    STEP(level, vcycle_solutions[i] = sweep_value(block, cell, 1u))
    STEP(level, residual_value(i))
    FOR_EACH_CELL(level + 1u, right_sides[i] = restricted_residual(block, cell, level + 1u))
}

void ascend(uint level)
{
    STEP(level, prolonged_value(block, cell, level))
    STEP(level, sweep_value(block, cell, 1u))
    STEP(level, sweep_value(block, cell, 0u))
}

// Subtracts the mean from the right-hand side of conjugate gradients if this is the finest level.
void subtract_mean()
{
    float mean = solve.mean;
    FOR_EACH_CELL(0u, if (coefficients[i].w > 0.0) right_sides[i] -= mean)
}

// Takes the dot product of the residual and the preconditioned residual if this is the finest level.
void finish_vcycle()
{
    for (uint block = 0u, last = solve.firsts[1]; block < last; block++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex, j = i + POISSON_WORKGROUP;
        float product = right_sides[i] * vcycle_solutions[i];
        product += right_sides[j] * vcycle_solutions[j];
        finish_block_sum(block, vec4(product, 0.0, 0.0, 0.0), POISSON_SCALARS_RESIDUAL_DOT);
    }
}

void main()
{
    if (workgroup_index() != 0u) return; // uniform across the workgroup
    uint top = pass.constant & POISSON_LEVEL_MASK, bottom = multigrid.levels - 1u;
    bool last = (pass.constant & POISSON_DOT_FLAG) != 0u;
    if (last && solve.iterations == 0u) subtract_mean();
    for (uint level = top; level < bottom; level++) descend(level);
    solve_coarsest(bottom);
    for (uint level = bottom; level > top; level--) ascend(level - 1u);
    // finer levels look for x in `smoothed`
    if (top > 0u) FOR_EACH_CELL(top, smoothed[i] = VCYCLE_VALUE(i))
    else FOR_EACH_CELL(top, vcycle_solutions[i] = VCYCLE_VALUE(i))
    if (last) finish_vcycle();
}
