// Own elements only: total = 3 total + source + place. Reads source and count; updates totals. Both arrays
// may be larger than one binding, so both are counted from row.first.
#version 460
#include "row.glsl"

layout(std430, binding = 0) readonly buffer source_block { uint source[]; };
layout(std430, binding = 1) buffer totals_block { uint totals[]; };
layout(std430, binding = 2) readonly buffer count_block { uint count; };

void main()
{
    uint i = row_index(), place = row.first + i;
    if (place >= count || i >= uint(totals.length())) return;
    totals[i] = 3u * totals[i] + source[i] + place;
}
