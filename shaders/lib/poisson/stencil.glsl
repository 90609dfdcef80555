// Sums the neighbours' part of the matrix product A x.
// Buffers: coefficients, multigrid, blocks.
#ifndef POISSON_STENCIL_GLSL
#define POISSON_STENCIL_GLSL
#include "poisson/blocks.glsl"

// Adds the part of the neighbours of a cell with the coefficients `own` to `sum`. VALUE(j): x of cell j.
#define ADD_NEIGHBOURS(sum, block, cell, own, VALUE) \
    for (uint axis = 0u; axis < 3u; axis++) { \
        uint low = poisson_neighbour_cell(block, cell, 2u * axis); \
        uint high = poisson_neighbour_cell(block, cell, 2u * axis + 1u); \
        if (low != POISSON_NONE) sum += own[axis] * VALUE(low); \
        if (high != POISSON_NONE) sum += coefficients[high][axis] * VALUE(high); \
    }
#endif
