// One invocation: how many points there are (row.constant), and the dispatch size over them.
// Writes state.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_PARAMS) readonly buffer params_block { grid_params grid; };
layout(std430, binding = GRID_BIND_STATE) buffer state_block { grid_state state; };

const uint WORKGROUP = 64u; // of the rows over particles

void main()
{
    if (gl_GlobalInvocationID.x != 0u) return;
    uvec2 size = grid_dispatch((row.constant + WORKGROUP - 1u) / WORKGROUP);
    state.arguments[GRID_ARGS_PARTICLES * 3u] = size.x;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 2u] = 1u;
    state.count = row.constant;
    state.live = 0u;
    state.flags = 0u;
    state.segment_scan = row.constant == 0u ? 0u : grid.segment_count + 2u;
}
