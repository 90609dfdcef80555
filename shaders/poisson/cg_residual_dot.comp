// Writes the dot product of the residual and the preconditioned residual for each block; one workgroup per
// block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(right_sides);
READ_ANY(vcycle_solutions);
WRITE_ANY(block_sums);
#include "poisson/level.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex, j = i + POISSON_WORKGROUP;
    float product = right_sides[i] * vcycle_solutions[i] + right_sides[j] * vcycle_solutions[j];
    vec4 sum = workgroup_sum_and_max(vec4(product, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) block_sums[block] = sum;
}
