// Performs the first two sweeps of a smoother that starts from 0; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(right_sides);
WRITE_ANY(vcycle_solutions);
#include "poisson/level.glsl"
#include "poisson/sweep.glsl"
DEFINE_SWEEP(sweep_first, first_sweep_value)

void main()
{
    uint block = workgroup_block(pass.constant);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        vcycle_solutions[block * POISSON_BLOCK_CELLS + cell] = sweep_first(block, cell, 1u);
    }
}
