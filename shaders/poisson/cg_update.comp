// Updates solution and residual along the search direction, keeps the direction for the next one, and takes
// the largest magnitude of the residual; one workgroup per block. With POISSON_SMOOTHS it also performs the
// first two sweeps of the next V-cycle, which need the residual of neighbours, so that the residual is stored
// by the next pass.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(cg_directions);
READ_ANY(matvec_products);
UPDATE_ANY(solutions);
UPDATE_ANY(right_sides);
WRITE_ANY(cg_last_directions);
WRITE_ANY(vcycle_solutions);
SHARE_ANY(block_sums);
#include "poisson/level.glsl"
#include "poisson/cg_scalars.glsl"
#include "poisson/step.glsl"
#include "poisson/sweep.glsl"
float first_sweep_after_step(uint i) { return first_sweep_of(i, stepped_right_side(i)); }
DEFINE_SWEEP_OF(sweep_after_step, first_sweep_after_step, stepped_right_side)

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    float most = 0.0;
    bool smooths = (pass.constant & POISSON_SMOOTHS) != 0u;
    step_length = solve.alpha;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        float residual = stepped_right_side(i), direction = cg_directions[i];
        if (smooths) vcycle_solutions[i] = sweep_after_step(block, cell, 1u);
        else right_sides[i] = residual;
        solutions[i] += step_length * direction;
        cg_last_directions[i] = direction;
        most = max(most, abs(residual));
    }
    finish_block_sum(block, vec4(0.0, 0.0, 0.0, most), POISSON_SCALARS_ERROR);
}
