// One invocation a vertex: how many vertices it meets.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
GATHER(softs);
GATHER(soft_owners);
GATHER(soft_states);
GATHER(soft_moves);
GATHER(soft_rests);
GATHER(soft_nears);
OWN_WRITE(soft_bears);
#include "soft_near.glsl"
#include "soft_pair.glsl"

void main()
{
    uint i = row_index(), count = 0u;
    if (i >= row.constant || state.flags != 0u || status.running == 0u || status.solved != 0u) return;
    uint end = near_count(i);
    for (uint n = 1u; n <= end; n++) {
        uint k = soft_nears[i * SOFT_NEAR_WORDS + n];
        if (near_lists(k, i) && pair_meet(pair_of(i, k), i < k).depth > 0.0) count++;
    }
    soft_bears[i] = count;
}
