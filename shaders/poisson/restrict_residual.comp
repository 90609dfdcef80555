// Computes the right-hand side of a level from the residual of the next finer one; one workgroup per block.
// With POISSON_RESIDUAL_FLAG it also stores the residual of conjugate gradients on the finest level.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(right_sides);
READ_ANY(matvec_products);
READ_ANY(vcycle_solutions);
#include "poisson/level.glsl"
#include "poisson/step.glsl"

bool takes_step; // before the first step there is no product

float step_and_store(uint i)
{
    float right_side = right_sides[i];
    if (takes_step) right_sides[i] = right_side = stepped_right_side(i);
    return right_side;
}
#define RIGHT_SIDE_OF_RESIDUAL(i) step_and_store(i)
#include "poisson/residual.glsl"

void main()
{
    uint level = pass.constant & POISSON_LEVEL_MASK, block = workgroup_block(level);
    step_length = solve.alpha;
    takes_step = (pass.constant & POISSON_RESIDUAL_FLAG) != 0u && step_length != 0.0;
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        right_sides[block * POISSON_BLOCK_CELLS + cell] = restricted_residual(block, cell, level);
    }
}
