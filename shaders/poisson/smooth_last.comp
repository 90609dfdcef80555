// Performs the last sweep of a level; one workgroup per block. On the finest level the V-cycle ends with it:
// conjugate gradients then take the dot product of the residual and the preconditioned residual.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(right_sides);
READ_ANY(smoothed);
WRITE_ANY(vcycle_solutions);
SHARE_ANY(block_sums);
#include "poisson/cg_scalars.glsl"
#include "poisson/level.glsl"
#include "poisson/sweep.glsl"
#define SMOOTHED_VALUE(i) smoothed[i]
DEFINE_SWEEP(sweep_smoothed, SMOOTHED_VALUE)

void main()
{
    uint block = workgroup_block(pass.constant & POISSON_LEVEL_MASK);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    float product = 0.0;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        float x = sweep_smoothed(block, cell, 0u);
        vcycle_solutions[i] = x;
        product += right_sides[i] * x;
    }
    if ((pass.constant & POISSON_DOT_FLAG) != 0u)
        finish_block_sum(block, vec4(product, 0.0, 0.0, 0.0), POISSON_SCALARS_RESIDUAL_DOT);
}
