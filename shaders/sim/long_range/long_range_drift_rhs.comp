// Computes the right-hand side of the drift solve, the second solve of the long-range correction, and
// starts it; one workgroup per block. A cell next to air may be less than full.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(drift_rhs);
READ_ANY(coefficients);
READ_ANY(air_coefficients);
WRITE_ANY(poisson_rhs);
WRITE_ANY(cell_pressures);
WRITE_ANY(cg_last_directions);
SHARE_ANY(block_sums);
#define STARTED_SOLUTIONS cell_pressures
#include "poisson/start.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE && !is_empty_solve()) return; // uniform across the workgroup
    vec4 sums = vec4(0.0);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION && block != POISSON_NONE; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        bool surface = air_coefficients[i].x + air_coefficients[i].y + air_coefficients[i].z > 0.0;
        poisson_rhs[i] = start_cell(i, surface ? max(drift_rhs[i], 0.0) : drift_rhs[i], sums);
    }
    finish_start(block, sums);
}
