// Adds statistics over a workgroup of SIM_STATS_WORKGROUP lanes.
#ifndef REDUCE_STATISTICS_GLSL
#define REDUCE_STATISTICS_GLSL

sim_statistics zero_stats()
{
    return sim_statistics(vec4(0.0), vec4(0.0), 0.0, 0.0, 0.0, 0.0, 0u, 0u, 0u, 0u);
}

void add_stats(inout sim_statistics sum, sim_statistics other)
{
    sum.momentum += other.momentum;
    sum.moment += other.moment;
    sum.error_sum += other.error_sum;
    sum.error_max = max(sum.error_max, other.error_max);
    sum.speed_max = max(sum.speed_max, other.speed_max);
    sum.potential += other.potential;
    sum.neighbours += other.neighbours;
    sum.neighbours_max = max(sum.neighbours_max, other.neighbours_max);
    sum.count += other.count;
    sum.non_finite += other.non_finite;
}

shared sim_statistics upper_lane_sums[SIM_STATS_WORKGROUP / 2u];

// Adds the sums of all lanes, the upper half to the lower half, until lane 0 has the total. All lanes must
// call it.
void workgroup_sum_stats(inout sim_statistics sum)
{
    uint lane = gl_LocalInvocationIndex;
    for (uint half_way = SIM_STATS_WORKGROUP / 2u; half_way > 0u; half_way >>= 1) {
        barrier();
        if (lane >= half_way && lane < 2u * half_way) upper_lane_sums[lane - half_way] = sum;
        barrier();
        if (lane < half_way) add_stats(sum, upper_lane_sums[lane]);
    }
}
#endif
