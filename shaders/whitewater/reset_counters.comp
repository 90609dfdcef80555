// Clears the counters of whitewater; one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/whitewater.glsl"

REDUCTION(counters);

void main()
{
    if (invocation_index() != 0u) return;
    counters.arguments[0] = counters.arguments[1] = 0u;
    counters.arguments[2] = 1u;
    counters.emission_count = counters.survivors = counters.count = 0u;
    for (uint i = 0u; i < WHITEWATER_CAUSES; i++) counters.emitted[i] = 0u;
    for (uint i = 0u; i < WHITEWATER_KINDS; i++) counters.alive[i] = 0u;
}
