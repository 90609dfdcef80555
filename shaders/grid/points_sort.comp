// Copies every point to its place in the sorted order.
// Reads sources, points; writes positions.
#version 460
#include "row.glsl"
#include "grid.glsl"
#include "anisotropy.h"

layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = ANISOTROPY_BIND_SOURCES) readonly buffer sources_block { uint sources[]; };
layout(std430, binding = ANISOTROPY_BIND_POINTS) readonly buffer points_block { vec4 points[]; };
layout(std430, binding = GRID_BIND_POSITIONS) writeonly buffer positions_block { vec4 positions[]; };

void main()
{
    uint i = row_index();
    if (i < state.live) positions[i] = points[sources[i]];
}
