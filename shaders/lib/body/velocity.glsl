// Computes the velocity of a point of a body.
// Buffers: bodies, body_iterated_states.
#ifndef BODY_VELOCITY_GLSL
#define BODY_VELOCITY_GLSL
#include "body/inertia.glsl"

// Returns the velocity of the body at p, m/s.
vec3 body_velocity_at(uint body, vec3 p)
{
    body_state at = body_iterated_states[body];
    return at.velocity.xyz +
           cross(inverse_inertia_times(body, at.rotation, at.angular_momentum.xyz), p - at.position.xyz);
}
#endif
