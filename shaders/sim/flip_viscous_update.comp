// One iteration of conjugate gradients for viscosity on the MAC grid, last of three.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
BLOCK(viscous);
SCATTER_UPDATE(viscous_velocities);
SCATTER_UPDATE(viscous_residuals);
SCATTER_UPDATE(search_directions);
SCATTER_UPDATE(direction_products);
GATHER(residual_products);
#include "poisson_level.glsl"
#include "viscous_step.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE || viscous.loop.groups_x == 0u) return;
    for (uint k = 0u; k < POISSON_EACH; k++)
        viscous_take_step(block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP);
}
