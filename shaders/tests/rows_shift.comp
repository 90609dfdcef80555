// to[i] = from[i + 1] + 1, round the end: a row that must see all that the row before it wrote.
#version 460
#include "row.glsl"

layout(std430, binding = 0) readonly buffer from_block { uint from[]; };
layout(std430, binding = 1) writeonly buffer to_block { uint to[]; };

void main()
{
    uint i = row_index(), n = uint(to.length());
    if (i < n) to[i] = from[(i + 1u) % n] + 1u;
}
