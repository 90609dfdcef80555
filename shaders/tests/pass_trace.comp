// Appends the push constants that the recorder passed; one invocation. Element 0 counts the entries.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 1
#include "bindings/dispatch.glsl"

#define BIND_trace WEIR_ARRAY(0, uvec4)
REDUCTION(trace);

void main()
{
    if (invocation_index() != 0u) return;
    uint k = ++trace[0].x;
    if (k < uint(trace.length())) trace[k] = uvec4(pass.outer, pass.inner, pass.first, pass.constant);
}
