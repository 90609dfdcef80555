// Adds statistics over a workgroup of SIM_STATS_WORKGROUP lanes.
#ifndef REDUCE_STATISTICS_GLSL
#define REDUCE_STATISTICS_GLSL

sim_sums sums_zero()
{
    return sim_sums(vec4(0.0), vec4(0.0), 0.0, 0.0, 0.0, 0.0, 0u, 0u, 0u, 0u);
}

void sums_add(inout sim_sums sum, sim_sums other)
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

shared sim_sums lanes_above[SIM_STATS_WORKGROUP / 2u];

// Adds the sums of all lanes, the upper half to the lower until lane 0 has them. All lanes come here.
void sums_join(inout sim_sums sum)
{
    uint lane = gl_LocalInvocationIndex;
    for (uint half_way = SIM_STATS_WORKGROUP / 2u; half_way > 0u; half_way >>= 1) {
        barrier();
        if (lane >= half_way && lane < 2u * half_way) lanes_above[lane - half_way] = sum;
        barrier();
        if (lane < half_way) sums_add(sum, lanes_above[lane]);
    }
}
#endif
