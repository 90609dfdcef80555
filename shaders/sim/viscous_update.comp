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

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || viscous.loop.groups_x == 0u) return;
    vec4 residual = viscous_residuals[i];
    vec3 direction = residual.xyz * residual.w, product = residual_products[i].xyz, change = vec3(0.0);
    if (row.inner > 0u) {
        direction += viscous.keep * search_directions[i].xyz;
        product += viscous.keep * direction_products[i].xyz;
        change = viscous_velocities[i].xyz;
    }
    search_directions[i].xyz = direction;
    direction_products[i].xyz = product;
    viscous_velocities[i].xyz = change + viscous.step * direction;
    viscous_residuals[i].xyz = residual.xyz - viscous.step * product;
}
