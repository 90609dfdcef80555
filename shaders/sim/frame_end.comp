// One invocation: makes the rows of the statistics run over the particles of the finished frame.
// Reads status; writes state.
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_STATE) buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };

void main()
{
    if (gl_GlobalInvocationID.x != 0u) return;
    state.live = state.flags == 0u ? status.count : 0u;
    uvec2 size = grid_dispatch((state.live + 63u) / 64u);
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_LIVE * 3u + 2u] = 1u;
}
