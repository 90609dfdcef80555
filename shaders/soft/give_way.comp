// One invocation a vertex: moves it by what others push it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
OWN_UPDATE(soft_moves);
OWN_READ(soft_shoves);

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u || status.solved != 0u) return;
    vec3 shove = soft_shoves[i].xyz;
    if (any(not_finite(shove))) return;
    soft_moves[i].xyz += soft_moves[i].w * shove;
}
