// The source of a level: the residuals of the joined cells below, summed.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(sources);
READ_ANY(guesses);
#include "poisson/level.glsl"
#define STENCIL(cell) guesses[cell]
#include "poisson/stencil.glsl"

float residual(uint i)
{
    vec4 own = coefficients[i];
    if (!(own.w > 0.0)) return 0.0;
    uint block = i / POISSON_CELLS;
    return sources[i] - own.w * guesses[i] + stencil_neighbours(block, i % POISSON_CELLS, own);
}

void main()
{
    uint level = level_of_row(), block = level_block(level);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        float sum = 0.0;
        for (uint child = 0u; child < 8u; child++) {
            uint below = family_child(block, cell, level, child);
            if (below != POISSON_NONE) sum += residual(below);
        }
        sources[block * POISSON_CELLS + cell] = sum;
    }
}
