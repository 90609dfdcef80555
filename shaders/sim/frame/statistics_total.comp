// Second of two passes of the statistics: adds the partial sums in a fixed order; one workgroup. The maximum
// speed decides the next frame's substeps.
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
READ_ANY(statistics_partials);
WRITE_ANY(statistics);
#include "reduce/statistics.glsl"

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint n = (state.live + SIM_STATS_PER_WORKGROUP - 1u) / SIM_STATS_PER_WORKGROUP;
    sim_statistics sum = zero_stats();
    for (uint k = lane; k < n; k += SIM_STATS_WORKGROUP) add_stats(sum, statistics_partials[k]);
    workgroup_sum_stats(sum);
    RETURN_IF_BROKEN(lane != 0u);
    statistics = sum;
    status.max_speed_bits = floatBitsToUint(sum.speed_max);
}
