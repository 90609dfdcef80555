// Starts conjugate gradients from 0: the residual is the source, less its mean where no fluid touches air.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(sources);
WRITE_ANY(solutions);
WRITE_ANY(directions);
#include "poisson/level.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        sources[i] = coefficients[i].w > 0.0 ? sources[i] - solve.mean : 0.0;
        solutions[i] = 0.0;
        directions[i] = 0.0;
    }
}
