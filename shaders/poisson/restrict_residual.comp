// Computes the right-hand side of a level: the sum of the residuals of the joined cells of the next finer
// level. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(right_sides);
READ_ANY(vcycle_solutions);
#include "poisson/level.glsl"
#define STENCIL(cell) vcycle_solutions[cell]
#include "poisson/stencil.glsl"

float residual(uint i)
{
    vec4 own = coefficients[i];
    if (!(own.w > 0.0)) return 0.0;
    uint block = i / POISSON_BLOCK_CELLS;
    return right_sides[i] - own.w * vcycle_solutions[i] +
           stencil_neighbour_sum(block, i % POISSON_BLOCK_CELLS, own);
}

void main()
{
    uint level = pass_level(), block = workgroup_block(level);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        float sum = 0.0;
        for (uint child = 0u; child < 8u; child++) {
            uint below = fine_cell(block, cell, level, child);
            if (below != POISSON_NONE) sum += residual(below);
        }
        right_sides[block * POISSON_BLOCK_CELLS + cell] = sum;
    }
}
