// The next direction of conjugate gradients.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "poisson_kernel.glsl"

BLOCK(solve);
GATHER(blocks);
GATHER(guesses);
SCATTER_UPDATE(directions);
#include "poisson_level.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        directions[i] = guesses[i] + solve.turn * directions[i];
    }
}
