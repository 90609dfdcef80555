// One invocation: when no particle has left the skin of its list, come or died since the lists were made, all
// stay where they stand and nothing is sorted or listed. The state alone decides, never the clock.
// Reads status; writes state.
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_STATE) buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };

void main()
{
    if (gl_GlobalInvocationID.x != 0u || state.flags != 0u || status.running == 0u) return;
    if (status.moved != 0u || status.emit_count != 0u || state.count != state.built) return;
    state.kept = state.count;
    state.count = 0u;
    state.segment_scan = 0u;
    state.arguments[GRID_ARGS_PARTICLES * 3u] = 0u;
}
