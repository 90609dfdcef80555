// Copies 16-byte elements, four to an invocation, neighbours side by side: the device's memory at its best.
// Reads from; writes to.
#version 460
#include "row.glsl"

layout(std430, binding = 0) readonly buffer from_block { vec4 from[]; };
layout(std430, binding = 1) writeonly buffer to_block { vec4 to[]; };

void main()
{
    uint base = row_index() / gl_WorkGroupSize.x * gl_WorkGroupSize.x * 4u + gl_LocalInvocationID.x;
    for (uint k = 0u; k < 4u; k++) {
        uint i = base + k * gl_WorkGroupSize.x;
        to[i] = from[i];
    }
}
