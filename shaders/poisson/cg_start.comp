// Starts conjugate gradients for a right-hand side that is complete; one workgroup per block, and at least
// one.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(air_coefficients);
UPDATE_ANY(right_sides);
WRITE_ANY(solutions);
WRITE_ANY(cg_last_directions);
SHARE_ANY(block_sums);
#define STARTED_SOLUTIONS solutions
#include "poisson/start.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE && !is_empty_solve()) return; // uniform across the workgroup
    vec4 sums = vec4(0.0);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION && block != POISSON_NONE; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        right_sides[i] = start_cell(i, right_sides[i], sums);
    }
    finish_start(block, sums);
}
