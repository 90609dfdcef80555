// The first sweep of a smoother that starts from 0.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(sources);
WRITE_ANY(swept);
#include "poisson/level.glsl"

void main()
{
    uint block = level_block(level_of_row());
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        float sum = coefficients[i].w;
        swept[i] = sum > 0.0 ? multigrid.sweeps[0] * sources[i] / sum : 0.0;
    }
}
