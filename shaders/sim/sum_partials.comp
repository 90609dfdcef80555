// Statistics, second of two: one workgroup adds the partial sums in one fixed order. The fastest speed
// decides the next frame's substeps.
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
READ_ANY(partials);
WRITE_ANY(sums);
#include "reduce/statistics.glsl"

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint n = (state.live + SIM_STATS_SHARE - 1u) / SIM_STATS_SHARE;
    sim_sums sum = sums_zero();
    for (uint k = lane; k < n; k += SIM_STATS_WORKGROUP) sums_add(sum, partials[k]);
    sums_join(sum);
    RETURN_IF_BROKEN(lane != 0u);
    sums = sum;
    status.speed_bits = floatBitsToUint(sum.speed_max);
}
