// Measures the peak bandwidth of device memory: copies 16-byte elements, four per invocation, with adjacent
// lanes at adjacent addresses.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 256
#include "bindings/dispatch.glsl"

#define BIND_from WEIR_ARRAY(0, vec4)
#define BIND_to WEIR_ARRAY(1, vec4)
READ_ANY(from);
WRITE_ANY(to);

void main()
{
    uint base = invocation_index() / gl_WorkGroupSize.x * gl_WorkGroupSize.x * 4u + gl_LocalInvocationID.x;
    for (uint k = 0u; k < 4u; k++) {
        uint i = base + k * gl_WorkGroupSize.x;
        to[i] = from[i];
    }
}
