// Last of three passes of a conjugate gradient iteration for viscosity on the MAC grid: updates the search
// direction and steps along it. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
BLOCK(viscous_cg);
UPDATE_ANY(viscous_velocities);
UPDATE_ANY(viscous_residuals);
UPDATE_ANY(search_directions);
UPDATE_ANY(direction_products);
READ_ANY(residual_products);
#include "poisson/level.glsl"
#include "particles/viscosity_step.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE || viscous_cg.loop.groups_x == 0u) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++)
        viscous_cg_step(block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP);
}
