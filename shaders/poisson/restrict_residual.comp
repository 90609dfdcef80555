// Computes the right-hand side of a level from the residual of the next finer one; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(right_sides);
READ_ANY(vcycle_solutions);
#include "poisson/level.glsl"
#include "poisson/residual.glsl"

void main()
{
    uint level = pass.constant, block = workgroup_block(level);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        right_sides[block * POISSON_BLOCK_CELLS + cell] = restricted_residual(block, cell, level);
    }
}
