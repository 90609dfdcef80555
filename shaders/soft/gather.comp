// One invocation a vertex: Jacobi. Adds up what its bonds push, in their order.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
OWN_UPDATE(soft_moves);
GATHER(soft_bonds);
GATHER(soft_pushes);
GATHER(soft_firsts);
GATHER(soft_entries);

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u || status.solved != 0u) return;
    uint end = soft_firsts[i + 1u];
    vec3 sum = vec3(0.0);
    for (uint e = soft_firsts[i]; e < end; e++) {
        uint bond = soft_entries[e] / SOFT_CORNERS;
        sum += soft_bonds[bond].shares[soft_entries[e] % SOFT_CORNERS] * soft_pushes[bond].xyz;
    }
    soft_moves[i].xyz += soft_moves[i].w * sum;
}
