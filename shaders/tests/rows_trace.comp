// One invocation: appends what the recorder told it. Element 0 counts the entries.
#version 460
#include "row.glsl"

layout(std430, binding = 0) buffer trace_block { uvec4 trace[]; };

void main()
{
    if (gl_GlobalInvocationID.x != 0u) return;
    uint k = ++trace[0].x;
    if (k < uint(trace.length())) trace[k] = uvec4(row.outer, row.inner, row.first, row.constant);
}
