// Counts how often every element is visited; EACH elements per invocation.
#version 460
#define BIND(name) BIND_##name
#include "bindings/dispatch.glsl"

layout(constant_id = 1) const uint EACH = 1u;

#define BIND_visits WEIR_ARRAY(0, uint)
ATOMIC(visits);

void main()
{
    uint first = invocation_index() * EACH, n = uint(visits.length());
    for (uint k = 0u; k < EACH; k++)
        if (first + k < n) atomicAdd(visits[first + k], 1u);
}
