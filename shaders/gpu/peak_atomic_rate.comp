// Adds to counters all over a table, as the counting of cells does.
// Adds to counters.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 256
#include "bindings/dispatch.glsl"

#define BIND_counters WEIR_ARRAY(0, uint)
ATOMIC(counters);

void main()
{
    uint i = invocation_index();
    atomicAdd(counters[i * 2654435761u >> 16], 1u);
}
