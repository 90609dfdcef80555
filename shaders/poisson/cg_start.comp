// Starts conjugate gradients from 0; one workgroup per block. The residual is the right-hand side, minus its
// mean if no fluid touches air.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(right_sides);
WRITE_ANY(solutions);
WRITE_ANY(cg_last_directions);
#include "poisson/level.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        right_sides[i] = coefficients[i].w > 0.0 ? right_sides[i] - solve.mean : 0.0;
        solutions[i] = 0.0;
        cg_last_directions[i] = 0.0;
    }
}
