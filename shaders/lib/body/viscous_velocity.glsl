// Computes the velocity of a point of a body in the implicit solve for viscosity.
// Buffers: body_viscous_states.
#ifndef BODY_VISCOUS_VELOCITY_GLSL
#define BODY_VISCOUS_VELOCITY_GLSL

// Returns the velocity at p: the predicted one, m/s; in an iteration the scaled residual.
vec3 body_viscous_velocity(uint body, vec3 p)
{
    vec3 arm = p - body_viscous_states[body].centre.xyz;
    vec3 spin = body_viscous_states[body].angular_velocity.xyz;
    return body_viscous_states[body].velocity.xyz + cross(spin, arm);
}
#endif
