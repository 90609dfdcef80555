// A step along the direction. Partials: the largest size of the residual behind it.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(directions);
READ_ANY(products);
UPDATE_ANY(solutions);
UPDATE_ANY(sources);
WRITE_ANY(partials);
#include "poisson/level.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    float most = 0.0;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        float residual = sources[i] - solve.step * products[i];
        solutions[i] += solve.step * directions[i];
        sources[i] = residual;
        most = max(most, abs(residual));
    }
    vec4 all = lanes_join(vec4(0.0, 0.0, 0.0, most));
    if (gl_LocalInvocationIndex == 0u) partials[block] = all;
}
