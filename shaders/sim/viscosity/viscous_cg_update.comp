// Last of three passes of a conjugate gradient iteration for viscosity: updates the search direction and
// steps along it. One invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(viscous_cg);
UPDATE_OWN(viscous_velocities);
UPDATE_OWN(viscous_residuals);
UPDATE_OWN(search_directions);
UPDATE_OWN(direction_products);
READ_OWN(residual_products);
WORK_ESTIMATE(30, 0, 0);
#include "particles/viscosity_step.glsl"

void main()
{
    uint i = invocation_index();
    if (i >= state.live || state.flags != 0u || viscous_cg.loop.groups_x == 0u) return;
    viscous_cg_step(i);
}
