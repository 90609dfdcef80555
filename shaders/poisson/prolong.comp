// Adds to each guess what the cell above it has found.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "poisson_kernel.glsl"

BLOCK(solve);
GATHER(blocks);
GATHER(coefficients);
SCATTER_UPDATE(guesses);
#include "poisson_level.glsl"
#include "poisson_family.glsl"

void main()
{
    uint level = level_of_row(), block = level_block(level);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        if (coefficients[i].w > 0.0) guesses[i] += guesses[family_parent(block, cell, level)];
    }
}
