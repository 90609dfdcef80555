// Solves the coarsest level, which is one block, by Chebyshev's semi-iteration (Golub and Varga 1961) with
// Jacobi scaling; one workgroup.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(right_sides);
WRITE_ANY(vcycle_solutions);
#include "poisson/level.glsl"

// Range of eigenvalues that the iteration damps; no eigenvalue of the scaled matrix exceeds 2.
const float HIGH = 2.0, LOW = 0.02;
const float MIDDLE = 0.5 * (HIGH + LOW), RADIUS = 0.5 * (HIGH - LOW);

shared float x[POISSON_BLOCK_CELLS];

float neighbour_sum(uint block, uint cell, vec4 own)
{
    float sum = 0.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        uint low = poisson_neighbour_cell(block, cell, 2u * axis);
        uint high = poisson_neighbour_cell(block, cell, 2u * axis + 1u);
        if (low != POISSON_NONE) sum += own[axis] * x[low % POISSON_BLOCK_CELLS];
        if (high != POISSON_NONE) sum += coefficients[high][axis] * x[high % POISSON_BLOCK_CELLS];
    }
    return sum;
}

void main()
{
    uint block = workgroup_block(pass_level());
    if (block == POISSON_NONE) return; // uniform across the workgroup
    uint first = gl_LocalInvocationIndex;
    float moves[POISSON_CELLS_PER_INVOCATION];
    float rho = RADIUS / MIDDLE;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + first + k * POISSON_WORKGROUP;
        float sum = coefficients[i].w;
        moves[k] = sum > 0.0 ? right_sides[i] / (sum * MIDDLE) : 0.0;
        x[first + k * POISSON_WORKGROUP] = moves[k];
    }
    barrier();
    for (uint sweep = 1u; sweep < POISSON_COARSEST_SWEEPS; sweep++) {
        float next = 1.0 / (2.0 * MIDDLE / RADIUS - rho);
        for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
            uint cell = first + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
            vec4 own = coefficients[i];
            float gap = 0.0;
            if (own.w > 0.0) gap = (right_sides[i] + neighbour_sum(block, cell, own)) / own.w - x[cell];
            moves[k] = next * (rho * moves[k] + 2.0 / RADIUS * gap);
        }
        rho = next;
        barrier();
        for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) x[first + k * POISSON_WORKGROUP] += moves[k];
        barrier();
    }
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = first + k * POISSON_WORKGROUP;
        vcycle_solutions[block * POISSON_BLOCK_CELLS + cell] = x[cell];
    }
}
