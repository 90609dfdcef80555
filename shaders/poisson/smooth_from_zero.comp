// Performs the first sweep of a smoother that starts from 0; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(right_sides);
WRITE_ANY(smoothed);
#include "poisson/level.glsl"

void main()
{
    uint block = workgroup_block(pass_level());
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        float sum = coefficients[i].w;
        smoothed[i] = sum > 0.0 ? multigrid.sweeps[0] * right_sides[i] / sum : 0.0;
    }
}
