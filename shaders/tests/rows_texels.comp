// Reads through a texel buffer.
#version 460
#include "row.glsl"

layout(binding = 0) uniform usamplerBuffer from;
layout(std430, binding = 1) writeonly buffer to_block { uint to[]; };

void main()
{
    uint i = row_index();
    if (i < uint(to.length())) to[i] = texelFetch(from, int(i)).x;
}
