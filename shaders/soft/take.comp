// One invocation a vertex: what fluid has pushed moves it, and is forgotten.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
OWN_UPDATE(soft_moves);
SCATTER_UPDATE(soft_sums);
#include "whole.glsl"

void main()
{
    uint i = row_index(), at = i * SOFT_SUM_WORDS;
    if (i >= row.constant || state.flags != 0u) return;
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++)
        sum[axis] = whole_value(uvec2(soft_sums[at + 2u * axis], soft_sums[at + 2u * axis + 1u]));
    for (uint k = 0u; k < SOFT_SUM_CONTACTS; k++) soft_sums[at + k] = 0u;
    soft_moves[i].xyz += (soft_moves[i].w * params.spacing * params.fluids[0].mass * BODY_UNIT) * sum;
}
