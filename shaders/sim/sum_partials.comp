// Statistics, second of two: one workgroup adds the partial sums in one fixed order. The fastest speed
// decides the next frame's substeps.
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
REDUCE(status);
GATHER(partials);
SCATTER(sums);
#include "sums.glsl"

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint n = (state.live + SIM_STATS_SHARE - 1u) / SIM_STATS_SHARE;
    sim_sums sum = sums_zero();
    for (uint k = lane; k < n; k += SIM_STATS_WORKGROUP) sums_add(sum, partials[k]);
    sums_join(sum);
    if (lane != 0u || state.flags != 0u) return;
    sums = sum;
    status.speed_bits = floatBitsToUint(sum.speed_max);
}
