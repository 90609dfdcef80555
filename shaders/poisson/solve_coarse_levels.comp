// Solves the levels from pass.constant to the coarsest by the same V-cycle as the passes over one level, in
// one workgroup, because a dispatch would take longer than a step on so few cells. The coarsest level, which
// is one block, is solved by Chebyshev's semi-iteration (Golub and Varga 1961) with Jacobi scaling.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
SHARE_ANY(right_sides);
SHARE_ANY(vcycle_solutions);
SHARE_ANY(smoothed);
SHARE_ANY(block_sums);
#include "poisson/cg_scalars.glsl"
#include "poisson/prolong.glsl"
#include "poisson/residual.glsl"
#include "poisson/sweep.glsl"
#define SMOOTHED_VALUE(i) smoothed[i]
DEFINE_SWEEP(sweep_solution, VCYCLE_VALUE)
DEFINE_SWEEP(sweep_smoothed, SMOOTHED_VALUE)

// Range of eigenvalues that the iteration damps; no eigenvalue of the scaled matrix exceeds 2.
const float HIGH = 2.0, LOW = 0.02;
const float MIDDLE = 0.5 * (HIGH + LOW), RADIUS = 0.5 * (HIGH - LOW);

shared float coarsest[POISSON_BLOCK_CELLS];

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
float coarsest_gap(coarsest_equation own, uint cell)
{
    float neighbours = 0.0;
    for (uint side = 0u; side < 6u; side++)
        neighbours += own.coefficients[side] * coarsest[own.neighbours[side]];
    return own.sum > 0.0 ? (own.right_side + neighbours) / own.sum - coarsest[cell] : 0.0;
}

void solve_coarsest(uint block)
{
    uint first = gl_LocalInvocationIndex, second = first + POISSON_WORKGROUP;
    coarsest_equation a = load_equation(block, first), b = load_equation(block, second);
    vec2 moves = vec2(a.sum > 0.0 ? a.right_side / (a.sum * MIDDLE) : 0.0,
                      b.sum > 0.0 ? b.right_side / (b.sum * MIDDLE) : 0.0);
    float rho = RADIUS / MIDDLE;
    coarsest[first] = moves.x;
    coarsest[second] = moves.y;
    barrier();
    for (uint sweep = 1u; sweep < POISSON_COARSEST_SWEEPS; sweep++) {
        float next = 1.0 / (2.0 * MIDDLE / RADIUS - rho);
        vec2 gaps = vec2(coarsest_gap(a, first), coarsest_gap(b, second));
        moves = next * (rho * moves + 2.0 / RADIUS * gaps);
        rho = next;
        barrier();
        coarsest[first] += moves.x;
        coarsest[second] += moves.y;
        barrier();
    }
    uint i = block * POISSON_BLOCK_CELLS;
    smoothed[i + first] = vcycle_solutions[i + first] = coarsest[first];
    smoothed[i + second] = vcycle_solutions[i + second] = coarsest[second];
}

void end_step()
{
    memoryBarrierBuffer();
    barrier();
}

// Runs a statement for each cell of a level: `block`, `cell`, and the index `i` of both. It ends a step: the
// next reads what any invocation has written.
#define FOR_EACH_CELL(level, statement) \
    for (uint block = solve.firsts[level], last = solve.firsts[level + 1u]; block < last; block++) \
        for (uint cell = gl_LocalInvocationIndex; cell < POISSON_BLOCK_CELLS; cell += POISSON_WORKGROUP) { \
            uint i = block * POISSON_BLOCK_CELLS + cell; \
            statement; \
        } \
    end_step();

void descend(uint level)
{
    FOR_EACH_CELL(level, smoothed[i] = first_sweep_value(i))
    FOR_EACH_CELL(level, vcycle_solutions[i] = sweep_smoothed(block, cell, 1u))
    FOR_EACH_CELL(level + 1u, right_sides[i] = restricted_residual(block, cell, level + 1u))
}

// The solution is in `smoothed`, where finer levels look for it; on the finest level in vcycle_solutions.
void ascend(uint level)
{
    if (level > 0u) {
        FOR_EACH_CELL(level, smoothed[i] = prolonged_value(i, level))
        FOR_EACH_CELL(level, vcycle_solutions[i] = sweep_smoothed(block, cell, 1u))
        FOR_EACH_CELL(level, smoothed[i] = sweep_solution(block, cell, 0u))
    } else {
        FOR_EACH_CELL(level, vcycle_solutions[i] = prolonged_value(i, level))
        FOR_EACH_CELL(level, smoothed[i] = sweep_solution(block, cell, 1u))
        FOR_EACH_CELL(level, vcycle_solutions[i] = sweep_smoothed(block, cell, 0u))
    }
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
    for (uint level = top; level < bottom; level++) descend(level);
    solve_coarsest(solve.firsts[bottom]);
    end_step();
    for (uint level = bottom; level > top; level--) ascend(level - 1u);
    if ((pass.constant & POISSON_DOT_FLAG) != 0u) finish_vcycle();
}
