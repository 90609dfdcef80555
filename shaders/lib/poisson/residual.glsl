// The residual of the V-cycle, restricted to the next coarser level.
// Buffers: multigrid, blocks, coefficients, right_sides, vcycle_solutions. A shader may define
// RIGHT_SIDE_OF_RESIDUAL(i), b of a cell, before it includes this file.
#ifndef POISSON_RESIDUAL_GLSL
#define POISSON_RESIDUAL_GLSL
#include "poisson/stencil.glsl"

#define VCYCLE_VALUE(j) vcycle_solutions[j]
#ifndef RIGHT_SIDE_OF_RESIDUAL
#define RIGHT_SIDE_OF_RESIDUAL(i) right_sides[i]
#endif

float residual_value(uint i)
{
    vec4 own = coefficients[i];
    if (!(own.w > 0.0)) return 0.0;
    float neighbours = 0.0;
    ADD_NEIGHBOURS(neighbours, i / POISSON_BLOCK_CELLS, i % POISSON_BLOCK_CELLS, own, VCYCLE_VALUE)
    return RIGHT_SIDE_OF_RESIDUAL(i) - own.w * vcycle_solutions[i] + neighbours;
}

// Returns the right-hand side of a cell of `level`: the sum of the residuals of the joined cells of the next
// finer level.
float restricted_residual(uint block, uint cell, uint level)
{
    float sum = 0.0;
    for (uint child = 0u; child < 8u; child++) {
        uint below = fine_cell(block, cell, level, child);
        if (below != POISSON_NONE) sum += residual_value(below);
    }
    return sum;
}
#endif
