// Computes the velocity of a point of a body.
// Buffers: bodies, body_iterates.
#ifndef BODY_VELOCITY_GLSL
#define BODY_VELOCITY_GLSL
#include "body/inertia.glsl"

// The velocity of its point at p, m/s.
vec3 body_velocity_at(uint body, vec3 p)
{
    body_state at = body_iterates[body];
    return at.velocity.xyz + cross(turn_by_inertia(body, at.rotation, at.spin.xyz), p - at.position.xyz);
}
#endif
