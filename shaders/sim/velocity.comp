// The velocity that the corrections amount to (Macklin and Mueller 2013, algorithm 1, line 21).
// Reads a, start; writes v.
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_A) readonly buffer a_block { vec4 a[]; };
layout(std430, binding = SIM_BIND_START) readonly buffer start_block { vec4 start[]; };
layout(std430, binding = SIM_BIND_V) writeonly buffer v_block { vec4 v[]; };

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    v[i] = vec4((a[i].xyz - start[i].xyz) / status.dt,
                params.fluids[uint(start[i].w)].viscosity);
}
