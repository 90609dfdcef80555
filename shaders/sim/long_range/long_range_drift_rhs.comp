// Computes the right-hand side of the drift solve, the second solve of the long-range correction; one
// workgroup per block. A cell next to air may be less than full.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(drift_rhs);
READ_ANY(air_coefficients);
WRITE_ANY(poisson_rhs);
#include "poisson/level.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        bool surface = air_coefficients[i].x + air_coefficients[i].y + air_coefficients[i].z > 0.0;
        poisson_rhs[i] = surface ? max(drift_rhs[i], 0.0) : drift_rhs[i];
    }
}
