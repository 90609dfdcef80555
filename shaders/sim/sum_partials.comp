// Statistics, second of two: one invocation adds the partial sums in order.
// Reads partials, state; writes sums and status (the fastest speed, for the next frame's substeps).
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_PARTIALS) readonly buffer partials_block { sim_sums partials[]; };
layout(std430, binding = SIM_BIND_SUMS) writeonly buffer sums_block { sim_sums sums; };
#include "sums.glsl"

void main()
{
    if (gl_GlobalInvocationID.x != 0u || state.flags != 0u) return;
    uint each = SIM_STATS_EACH * SIM_STATS_WORKGROUP;
    uint n = (state.live + each - 1u) / each;
    sim_sums sum = sums_zero();
    for (uint k = 0u; k < n; k++) sums_add(sum, partials[k]);
    sums = sum;
    status.speed_bits = floatBitsToUint(sum.speed_max);
}
