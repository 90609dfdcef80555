// One invocation a vertex: the substep is complete. One that has left the finite numbers rests from then on
// where it was.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
OWN_UPDATE(soft_states);
OWN_READ(soft_moves);

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u) return;
    soft_state at = soft_states[i];
    vec3 moved = soft_moves[i].xyz, velocity = moved / status.dt;
    if (any(not_finite(moved)) || any(not_finite(velocity)) || any(not_finite(at.position.xyz + moved))) {
        soft_states[i] = soft_state(vec4(at.position.xyz, 0.0), vec4(0.0, 0.0, 0.0, 1.0));
        return;
    }
    soft_states[i] = soft_state(vec4(at.position.xyz + moved, at.position.w), vec4(velocity, at.velocity.w));
}
