// Updates solution and residual along the search direction, keeps the direction for the next one, and takes
// the largest magnitude of the residual; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(cg_directions);
READ_ANY(matvec_products);
UPDATE_ANY(solutions);
UPDATE_ANY(right_sides);
WRITE_ANY(cg_last_directions);
SHARE_ANY(block_sums);
#include "poisson/level.glsl"
#include "poisson/cg_scalars.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    float most = 0.0;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        float residual = right_sides[i] - solve.alpha * matvec_products[i], direction = cg_directions[i];
        solutions[i] += solve.alpha * direction;
        cg_last_directions[i] = direction;
        right_sides[i] = residual;
        most = max(most, abs(residual));
    }
    finish_block_sum(block, vec4(0.0, 0.0, 0.0, most), POISSON_SCALARS_ERROR);
}
