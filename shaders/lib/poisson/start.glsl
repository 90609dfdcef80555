// Starts conjugate gradients from 0, in the pass that has the right-hand side: sums it, the fluid cells and
// the coefficients to air, takes its largest magnitude, and sets the scalars from them. One workgroup per
// block, and at least one. The mean of the right-hand side is subtracted by the first V-cycle.
// Buffers: solve (atomic), block_sums (coherent), blocks, coefficients, air_coefficients, cg_last_directions
// (written); STARTED_SOLUTIONS: the solutions (written).
#ifndef POISSON_START_GLSL
#define POISSON_START_GLSL
#include "poisson/cg_scalars.glsl"
#include "poisson/level.glsl"

// Returns whether a workgroup without a block must end the pass, because there is none at all.
bool is_empty_solve() { return solve.firsts[1] == 0u && workgroup_index() == 0u; }

// Adds a cell to the sums of its invocation, and returns its right-hand side: 0 without an equation.
float start_cell(uint i, float right_side, inout vec4 sums)
{
    STARTED_SOLUTIONS[i] = 0.0;
    cg_last_directions[i] = 0.0;
    if (!(coefficients[i].w > 0.0)) return 0.0;
    vec4 air = air_coefficients[i];
    sums.xyz += vec3(right_side, 1.0, air.x + air.y + air.z);
    sums.w = max(sums.w, abs(right_side));
    return right_side;
}

// Every invocation must call it with its sums.
void finish_start(uint block, vec4 sums)
{
    sums = workgroup_sum_and_max(sums);
    if (gl_LocalInvocationIndex == 0u && block != POISSON_NONE) block_sums[block] = sums;
    finish_pass(POISSON_SCALARS_START);
}
#endif
