// Sets every segment's mark to zero. Writes segments.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_SEGMENTS) writeonly buffer segments_block { uint segments[]; };

void main()
{
    uint i = row_index();
    if (i < state.segment_scan) segments[i] = 0u;
}
