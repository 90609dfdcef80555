// Adds up the partial sums of the statistics for the host, which adds those of the other ranks; one
// workgroup.
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
READ_ANY(statistics_partials);
REDUCTION(rank_sums);
#include "reduce/statistics.glsl"

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint n = (state.live + SIM_STATS_PER_WORKGROUP - 1u) / SIM_STATS_PER_WORKGROUP;
    clear_stats(lane);
    for (uint k = lane; k < n; k += SIM_STATS_WORKGROUP) ADD_STATS(lane, statistics_partials[k])
    workgroup_sum_stats();
    if (lane == 0u) rank_sums = lane_sums[0];
}
