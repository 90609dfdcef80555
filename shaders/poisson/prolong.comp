// Adds to each guess what the cell above it has found.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(guesses);
#include "poisson/level.glsl"

void main()
{
    uint level = level_of_row(), block = level_block(level);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        if (coefficients[i].w > 0.0) guesses[i] += guesses[family_parent(block, cell, level)];
    }
}
