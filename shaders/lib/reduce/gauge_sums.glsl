// Adds up the sums of a gauge of pressure or force over the workgroups of gauge_partial_sums.comp.
// Buffers: state, gauge_partial_sums.
#ifndef REDUCE_GAUGE_SUMS_GLSL
#define REDUCE_GAUGE_SUMS_GLSL
#include "reduce/stats_lanes.glsl"

// Returns the number of workgroups that have summed particles.
uint gauge_sum_groups() { return (state.count + SIM_STATS_PER_WORKGROUP - 1u) / SIM_STATS_PER_WORKGROUP; }

// Returns the total of gauge k of `count`. All invocations of the workgroup must call it.
sim_fixed_sum4 gauge_sum(uint k, uint count, uint lane)
{
    uint groups = gauge_sum_groups();
    for (uint part = lane; part < SIM_STATS_WORKGROUP; part += gl_WorkGroupSize.x) {
        sim_fixed_sum4 sum = fixed_terms4_zero();
        for (uint group = part; group < groups; group += SIM_STATS_WORKGROUP)
            fixed_sum4_add(sum, gauge_partial_sums[group * count + k]);
        lanes[part] = sum;
    }
    workgroup_sum();
    return lanes[0];
}
#endif
