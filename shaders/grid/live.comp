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
    uint dead = segments[grid.segment_count] * GRID_SEGMENT_CELLS; // the first cell of the dead
    if (state.flags == 0u && state.count != 0u) live = cells[dead];
    state.live = live;
    uvec2 size = grid_dispatch((live + row.constant - 1u) / row.constant);
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_LIVE * 3u + 2u] = 1u;
}
