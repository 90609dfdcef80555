// Adds the solution of the next coarser level, which is in `smoothed`, to that of a cell.
// Buffers: multigrid, blocks, coefficients, vcycle_solutions, smoothed.
#ifndef POISSON_PROLONG_GLSL
#define POISSON_PROLONG_GLSL
#include "poisson/blocks.glsl"

float prolonged_value(uint i, uint level)
{
    float x = vcycle_solutions[i];
    if (coefficients[i].w > 0.0)
        x += smoothed[coarse_cell(i / POISSON_BLOCK_CELLS, i % POISSON_BLOCK_CELLS, level)];
    return x;
}
#endif
