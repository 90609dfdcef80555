// One invocation: how many particles are left before the dead, and the dispatch size over them.
// Reads segments, cells; writes state.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_PARAMS) readonly buffer params_block { grid_params grid; };
layout(std430, binding = GRID_BIND_STATE) buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_SEGMENTS) readonly buffer segments_block { uint segments[]; };
layout(std430, binding = GRID_BIND_CELLS) readonly buffer cells_block { uint cells[]; };

void main()
{
    if (gl_GlobalInvocationID.x != 0u) return;
    uint live = 0u;
    if (state.flags == 0u && state.count != 0u) live = cells[segments[grid.segment_count] * GRID_SEGMENT_CELLS];
    state.live = live;
    uint groups = (live + row.constant - 1u) / row.constant;
    uint rows = (groups + GRID_DISPATCH_X - 1u) / GRID_DISPATCH_X;
    state.arguments[GRID_ARGS_LIVE * 3u] = rows > 1u ? GRID_DISPATCH_X : groups;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = max(rows, 1u);
    state.arguments[GRID_ARGS_LIVE * 3u + 2u] = 1u;
}
