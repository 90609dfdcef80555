// Fetches 16-byte elements near the invocation's own from a table that caches hold, as a pass over
// neighbours does: 64 each, four at a time.
// Reads table (gathered); writes sums.
#version 460
#include "row.glsl"
#include "gather.glsl"

GATHER_BLOCK(0, table);
layout(std430, binding = 1) writeonly buffer sums_block { vec4 sums[]; };

void main()
{
    uint i = row_index(), last = row.constant - 1u;
    vec4 a = vec4(0.0), b = a, c = a, d = a;
    for (uint k = 0u; k < 16u; k++) {
        uint at = i + k * 67u;
        a += GATHERED(table, at & last);
        b += GATHERED(table, (at + 1u) & last);
        c += GATHERED(table, (at + 33u) & last);
        d += GATHERED(table, (at + 34u) & last);
    }
    sums[i] = a + b + c + d;
}
