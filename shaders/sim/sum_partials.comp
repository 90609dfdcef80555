// Statistics, second of two: one invocation adds the partial sums in order. The fastest speed decides the
// next frame's substeps.
#version 460
#define WORKGROUP 1
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
REDUCE(status);
GATHER(partials);
SCATTER(sums);
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
