// Second of two passes of the statistics: adds the partial sums and converts the totals to SI units; one
// workgroup. The maximum speed decides the next frame's substeps. With RANK_STATISTICS_SUMMED the first
// partial sum is that of all ranks.
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
READ_ANY(statistics_partials);
WRITE_ANY(statistics);
#include "ranks.h"
#include "reduce/statistics.glsl"

sim_statistics in_si_units()
{
    float mass = stats_mass(), speed = stats_speed(), fraction = mass / STATS_FRACTION_UNITS;
    vec4 momentum = fixed_sum4_value(lane_sums[0].momentum) * (mass * speed / STATS_SPEED_UNITS);
    vec4 moment = fixed_sum4_value(lane_sums[0].moment) * fraction;
    vec4 others = fixed_sum4_value(lane_sums[0].others);
    momentum.w *= speed;
    moment.xyz *= stats_length();
    return sim_statistics(momentum, moment, others.x / STATS_SPEED_UNITS, lane_sums[0].error_max,
                          lane_sums[0].speed_max, others.y * (fraction * stats_potential()),
                          lane_sums[0].neighbours, lane_sums[0].neighbours_max, lane_sums[0].count,
                          lane_sums[0].non_finite);
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint n = (state.live + SIM_STATS_PER_WORKGROUP - 1u) / SIM_STATS_PER_WORKGROUP;
    if (pass.constant == RANK_STATISTICS_SUMMED) n = 1u;
    clear_stats(lane);
    for (uint k = lane; k < n; k += SIM_STATS_WORKGROUP) ADD_STATS(lane, statistics_partials[k])
    workgroup_sum_stats();
    RETURN_IF_BROKEN(lane != 0u);
    statistics = in_si_units();
    status.max_speed_bits = floatBitsToUint(lane_sums[0].speed_max);
}
