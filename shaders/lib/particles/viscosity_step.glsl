// Takes one step of conjugate gradients for viscosity, the last of the three passes of an iteration. From the
// first step on, viscous_velocities holds the change of the velocities.
// Buffers: viscous_cg, viscous_velocities, viscous_residuals, search_directions, direction_products,
// residual_products.
#ifndef PARTICLES_VISCOSITY_STEP_GLSL
#define PARTICLES_VISCOSITY_STEP_GLSL

void viscous_cg_step(uint i)
{
    vec4 residual = viscous_residuals[i];
    vec3 direction = residual.xyz * residual.w, product = residual_products[i].xyz, change = vec3(0.0);
    if (pass.inner > 0u) {
        direction += viscous_cg.beta * search_directions[i].xyz;
        product += viscous_cg.beta * direction_products[i].xyz;
        change = viscous_velocities[i].xyz;
    }
    search_directions[i].xyz = direction;
    direction_products[i].xyz = product;
    viscous_velocities[i].xyz = change + viscous_cg.alpha * direction;
    viscous_residuals[i].xyz = residual.xyz - viscous_cg.alpha * product;
}
#endif
