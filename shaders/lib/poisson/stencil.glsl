// Sums the neighbours' part of the matrix product A x.
// Buffers: coefficients, multigrid, blocks.
#ifndef POISSON_STENCIL_GLSL
#define POISSON_STENCIL_GLSL
#ifndef STENCIL
#error "define STENCIL before stencil.glsl: the vector that the matrix multiplies, STENCIL(cell)"
#endif
#include "poisson/blocks.glsl"

float stencil_neighbour_sum(uint block, uint cell, vec4 own)
{
    float sum = 0.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        uint low = poisson_neighbour_cell(block, cell, 2u * axis);
        uint high = poisson_neighbour_cell(block, cell, 2u * axis + 1u);
        if (low != POISSON_NONE) sum += own[axis] * STENCIL(low);
        if (high != POISSON_NONE) sum += coefficients[high][axis] * STENCIL(high);
    }
    return sum;
}
#endif
