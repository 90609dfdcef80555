// One invocation a vertex: its displacement in the substep without constraints.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
ATOMIC(status);
OWN_READ(soft_states);
OWN_WRITE(soft_moves);
#include "predict.glsl"

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u) return;
    soft_state at = soft_states[i];
    bool capped = false;
    vec3 velocity = vec3(0.0);
    if (at.position.w > 0.0) velocity = predict_velocity(at.position.xyz, at.velocity.xyz, capped);
    if (capped) atomicAdd(status.speed_caps, 1u);
    soft_moves[i] = vec4(velocity * status.dt, at.position.w);
}
