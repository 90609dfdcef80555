// Sums the neighbours' part of the matrix product A x.
// Buffers: coefficients, multigrid, blocks.
#ifndef POISSON_STENCIL_GLSL
#define POISSON_STENCIL_GLSL
#include "poisson/blocks.glsl"

// Adds the part of the neighbours of a cell with the coefficients `own` to `sum`. VALUE(j): x of cell j. All
// loads precede the sum, so that they overlap; the cell itself is loaded for a missing neighbour, whose
// coefficient is 0.
#define ADD_NEIGHBOURS(sum, block, cell, own, VALUE) \
    { \
        float low_values[3], high_values[3], high_own[3]; \
        for (uint axis = 0u; axis < 3u; axis++) { \
            uint low = poisson_neighbour_cell(block, cell, 2u * axis); \
            uint high = poisson_neighbour_cell(block, cell, 2u * axis + 1u); \
            uint self = block * POISSON_BLOCK_CELLS + cell, there = high != POISSON_NONE ? high : self; \
            low_values[axis] = VALUE((low != POISSON_NONE ? low : self)); \
            high_values[axis] = VALUE(there); \
            float crossing = coefficients[there][axis]; \
            high_own[axis] = high != POISSON_NONE ? crossing : 0.0; \
        } \
        for (uint axis = 0u; axis < 3u; axis++) { \
            sum += own[axis] * low_values[axis]; \
            sum += high_own[axis] * high_values[axis]; \
        } \
    }
#endif
