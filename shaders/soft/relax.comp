// One invocation a bond: no multiplier is left of the substep before.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
OWN_WRITE(soft_lambdas);

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u) return;
    soft_lambdas[i] = vec4(0.0);
}
