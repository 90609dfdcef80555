// Partials: the sum of the sources, the cells of fluid, the coefficients to air, the largest source.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(links);
READ_ANY(sources);
WRITE_ANY(partials);
#include "poisson/level.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    vec4 own = vec4(0.0);
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        if (!(coefficients[i].w > 0.0)) continue;
        own.xyz += vec3(sources[i], 1.0, links[i].x + links[i].y + links[i].z);
        own.w = max(own.w, abs(sources[i]));
    }
    own = lanes_join(own);
    if (gl_LocalInvocationIndex == 0u) partials[block] = own;
}
