// One sweep of the smoother: Jacobi's iteration with step lengths that are the reciprocal roots of a
// Chebyshev polynomial (Adams and others 2003), so that no cell waits for another and the sum does not
// depend on an order.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(sources);
READ_ANY(guesses);
WRITE_ANY(swept);
#include "poisson/level.glsl"
#define STENCIL(cell) guesses[cell]
#include "poisson/stencil.glsl"

void main()
{
    uint block = level_block(level_of_row());
    if (block == POISSON_NONE) return;
    float length = multigrid.sweeps[row.constant >> POISSON_SWEEP_SHIFT];
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        vec4 own = coefficients[i];
        float x = guesses[i], next = 0.0;
        if (own.w > 0.0) {
            float wanted = (sources[i] + stencil_neighbours(block, cell, own)) / own.w;
            next = x + length * (wanted - x);
        }
        swept[i] = next;
    }
}
