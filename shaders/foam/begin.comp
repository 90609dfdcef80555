// One invocation: an empty count of whitewater.
#version 460
#define WORKGROUP 1
#include "bindings/whitewater.glsl"

REDUCTION(census);

void main()
{
    if (row_index() != 0u) return;
    census.arguments[0] = census.arguments[1] = 0u;
    census.arguments[2] = 1u;
    census.births = census.survivors = census.count = 0u;
    for (uint i = 0u; i < FOAM_CAUSES; i++) census.born[i] = 0u;
    for (uint i = 0u; i < FOAM_KINDS; i++) census.alive[i] = 0u;
}
