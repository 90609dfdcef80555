// One invocation a bucket of cells: no vertex is in it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
OWN_WRITE(soft_buckets);
BLOCK(soft_crowd);

void main()
{
    uint i = row_index();
    if (i >= soft_crowd.buckets || state.flags != 0u) return;
    soft_buckets[i] = SOFT_NONE;
}
