// Partials: the product of the residual with the preconditioned residual.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "poisson_kernel.glsl"

BLOCK(solve);
GATHER(blocks);
GATHER(sources);
GATHER(guesses);
SCATTER(partials);
#include "poisson_level.glsl"
#include "poisson_sum.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    uint i = block * POISSON_CELLS + gl_LocalInvocationIndex, j = i + POISSON_WORKGROUP;
    float product = sources[i] * guesses[i] + sources[j] * guesses[j];
    vec4 sum = lanes_join(vec4(product, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) partials[block] = sum;
}
