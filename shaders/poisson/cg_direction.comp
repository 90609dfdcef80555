// Computes the next search direction of conjugate gradients; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(vcycle_solutions);
UPDATE_ANY(cg_directions);
#include "poisson/level.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        cg_directions[i] = vcycle_solutions[i] + solve.beta * cg_directions[i];
    }
}
