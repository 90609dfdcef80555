// Adds the solution of the next coarser level to that of the finest, and performs a sweep; one workgroup per
// block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(right_sides);
READ_ANY(vcycle_solutions);
UPDATE_ANY(smoothed);
#include "poisson/level.glsl"
#include "poisson/prolong.glsl"
#include "poisson/sweep.glsl"
#define PROLONGED_VALUE(i) prolonged_value(i, 0u)
DEFINE_SWEEP(sweep_prolonged, PROLONGED_VALUE)

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        smoothed[block * POISSON_BLOCK_CELLS + cell] = sweep_prolonged(block, cell, 1u);
    }
}
