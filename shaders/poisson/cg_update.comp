// Updates solution and residual along the search direction, and writes the largest magnitude of the residual
// for each block; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cg_directions);
READ_ANY(matvec_products);
UPDATE_ANY(solutions);
UPDATE_ANY(right_sides);
WRITE_ANY(block_sums);
#include "poisson/level.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    float most = 0.0;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        float residual = right_sides[i] - solve.alpha * matvec_products[i];
        solutions[i] += solve.alpha * cg_directions[i];
        right_sides[i] = residual;
        most = max(most, abs(residual));
    }
    vec4 all = workgroup_sum_and_max(vec4(0.0, 0.0, 0.0, most));
    if (gl_LocalInvocationIndex == 0u) block_sums[block] = all;
}
