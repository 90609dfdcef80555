// How a body moves. Needs wall.glsl, bodies and body_iterates.
#include "turn.glsl"

// The velocity of its point at p, m/s.
vec3 body_velocity_at(uint body, vec3 p)
{
    body_state at = body_iterates[body];
    return at.velocity.xyz + cross(turn_by_inertia(body, at.rotation, at.spin.xyz), p - at.position.xyz);
}
