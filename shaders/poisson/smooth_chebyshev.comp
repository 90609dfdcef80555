// Performs one sweep of the smoother; one workgroup per block. It is a Jacobi iteration whose step lengths
// are the reciprocal roots of a Chebyshev polynomial (Adams and others 2003), so that no cell waits for
// another and the result does not depend on an order.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(right_sides);
READ_ANY(vcycle_solutions);
WRITE_ANY(smoothed);
#include "poisson/level.glsl"
#define STENCIL(cell) vcycle_solutions[cell]
#include "poisson/stencil.glsl"

void main()
{
    uint block = workgroup_block(pass_level());
    if (block == POISSON_NONE) return;
    float length = multigrid.sweeps[pass.constant >> POISSON_SWEEP_SHIFT];
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        vec4 own = coefficients[i];
        float x = vcycle_solutions[i], next = 0.0;
        if (own.w > 0.0) {
            float wanted = (right_sides[i] + stencil_neighbour_sum(block, cell, own)) / own.w;
            next = x + length * (wanted - x);
        }
        smoothed[i] = next;
    }
}
