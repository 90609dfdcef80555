// Partials: the sum of the sources, the cells of fluid, the coefficients to air, the largest source.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "poisson_kernel.glsl"

BLOCK(solve);
GATHER(blocks);
GATHER(coefficients);
GATHER(links);
GATHER(sources);
SCATTER(partials);
#include "poisson_level.glsl"
#include "poisson_sum.glsl"

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
