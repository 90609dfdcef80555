// Partials: the product of the residual with the preconditioned residual.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(sources);
READ_ANY(guesses);
WRITE_ANY(partials);
#include "poisson/level.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    uint i = block * POISSON_CELLS + gl_LocalInvocationIndex, j = i + POISSON_WORKGROUP;
    float product = sources[i] * guesses[i] + sources[j] * guesses[j];
    vec4 sum = lanes_join(vec4(product, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) partials[block] = sum;
}
