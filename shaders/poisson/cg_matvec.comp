// Multiplies the matrix A by the search direction, and writes the dot product of both for each block; one
// workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(cg_directions);
WRITE_ANY(matvec_products);
WRITE_ANY(block_sums);
#include "poisson/level.glsl"
#define STENCIL(cell) cg_directions[cell]
#include "poisson/stencil.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    float sum = 0.0;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        vec4 own = coefficients[i];
        float x = cg_directions[i], product = 0.0;
        if (own.w > 0.0) product = own.w * x - stencil_neighbour_sum(block, cell, own);
        matvec_products[i] = product;
        sum += x * product;
    }
    vec4 all = workgroup_sum_and_max(vec4(sum, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) block_sums[block] = all;
}
