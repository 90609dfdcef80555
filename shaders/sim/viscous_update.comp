// One iteration of conjugate gradients for viscosity, last of three: the next search direction, and a step
// along it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(viscous);
OWN_UPDATE(viscous_velocities);
OWN_UPDATE(viscous_residuals);
OWN_UPDATE(search_directions);
OWN_UPDATE(direction_products);
OWN_READ(residual_products);
WORK(30, 0, 0);
#include "viscous_step.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || viscous.loop.groups_x == 0u) return;
    viscous_take_step(i);
}
