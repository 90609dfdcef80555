// Adds the solution of the next coarser level to each cell's solution; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(vcycle_solutions);
#include "poisson/level.glsl"

void main()
{
    uint level = pass_level(), block = workgroup_block(level);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        if (coefficients[i].w > 0.0) vcycle_solutions[i] += vcycle_solutions[coarse_cell(block, cell, level)];
    }
}
