// Copies one element of 16 bytes.
// Reads from; writes to.
#version 460
#include "row.glsl"

layout(std430, binding = 0) readonly buffer from_block { uvec4 from[]; };
layout(std430, binding = 1) writeonly buffer to_block { uvec4 to[]; };

void main()
{
    uint i = row_index();
    to[i] = from[i];
}
