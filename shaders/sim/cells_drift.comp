// The sources of the second solve of the long-range correction. Beside air a cell may be less than full.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(drifts);
READ_ANY(links);
WRITE_ANY(cell_sources);
#include "poisson/level.glsl"

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
