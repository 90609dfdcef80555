// Adds to counters all over a table, as the counting of cells does.
// Adds to counters.
#version 460
#include "row.glsl"

layout(std430, binding = 0) buffer counters_block { uint counters[]; };

void main()
{
    uint i = row_index();
    atomicAdd(counters[i * 2654435761u >> 16], 1u);
}
