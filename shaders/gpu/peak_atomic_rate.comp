// Measures the rate of atomics: increments counters scattered over a table, as counting particles in bins
// does; one increment per invocation.
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
