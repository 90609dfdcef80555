// One invocation: makes the rows of the statistics run over the particles of the finished frame.
// Reads status; writes state.
#version 460
#include "sim.glsl"

layout(constant_id = 1) const uint WORKGROUP = 64u; // of the rows over particles

layout(std430, binding = SIM_BIND_STATE) buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };

void main()
{
    if (gl_GlobalInvocationID.x != 0u) return;
    state.live = state.flags == 0u ? status.count : 0u;
    uvec2 size = grid_dispatch((state.live + WORKGROUP - 1u) / WORKGROUP);
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_LIVE * 3u + 2u] = 1u;
}
