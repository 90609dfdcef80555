// Performs the first two sweeps of a smoother that starts from 0; one workgroup per block. With
// POISSON_START_FLAG the right-hand side still has its mean.
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
float mean; // set once, because CPU drivers would load it for every cell
float right_side_without_mean(uint i) { return right_sides[i] - mean; }
float first_sweep_without_mean(uint i) { return first_sweep_of(i, right_side_without_mean(i)); }
DEFINE_SWEEP_OF(sweep_first, first_sweep_without_mean, right_side_without_mean)

void main()
{
    uint block = workgroup_block(pass.constant & POISSON_LEVEL_MASK);
    mean = (pass.constant & POISSON_START_FLAG) != 0u ? solve.mean : 0.0;
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        vcycle_solutions[block * POISSON_BLOCK_CELLS + cell] = sweep_first(block, cell, 1u);
    }
}
