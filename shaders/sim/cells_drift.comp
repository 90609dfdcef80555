// The sources of the second solve of the long-range correction. Beside air a cell may be less than full.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
GATHER(drifts);
GATHER(links);
SCATTER(cell_sources);
#include "poisson_level.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        bool surface = links[i].x + links[i].y + links[i].z > 0.0;
        cell_sources[i] = surface ? max(drifts[i], 0.0) : drifts[i];
    }
}
