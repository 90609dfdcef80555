// The residual of the V-cycle.
// Buffers: multigrid, blocks, coefficients, right_sides, vcycle_solutions. A shader may define
// RIGHT_SIDE_OF_RESIDUAL(i), b of a cell, and VCYCLE_VALUE(i), its x, before it includes this file.
#ifndef POISSON_RESIDUAL_GLSL
#define POISSON_RESIDUAL_GLSL
#include "poisson/stencil.glsl"

#ifndef VCYCLE_VALUE
#define VCYCLE_VALUE(i) vcycle_solutions[i]
#endif
#ifndef RIGHT_SIDE_OF_RESIDUAL
#define RIGHT_SIDE_OF_RESIDUAL(i) right_sides[i]
#endif

float residual_value(uint i)
{
    vec4 own = coefficients[i];
    if (!(own.w > 0.0)) return 0.0;
    float neighbours = 0.0;
    ADD_NEIGHBOURS(neighbours, i / POISSON_BLOCK_CELLS, i % POISSON_BLOCK_CELLS, own, VCYCLE_VALUE)
    return RIGHT_SIDE_OF_RESIDUAL(i) - own.w * VCYCLE_VALUE(i) + neighbours;
}
#endif
