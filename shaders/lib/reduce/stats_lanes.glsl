// Sums of vec4 in one fixed order, whatever the size of a workgroup: SIM_STATS_WORKGROUP partial sums stand
// in `lanes`, and the workgroup's lanes take turns at them. All lanes come here.
#ifndef REDUCE_STATS_LANES_GLSL
#define REDUCE_STATS_LANES_GLSL

shared vec4 lanes[SIM_STATS_WORKGROUP];

// Adds the upper half to the lower until the first has all.
void workgroup_sum()
{
    for (uint half_way = SIM_STATS_WORKGROUP / 2u; half_way > 0u; half_way >>= 1) {
        barrier();
        for (uint k = gl_LocalInvocationIndex; k < half_way; k += gl_WorkGroupSize.x)
            lanes[k] += lanes[k + half_way];
    }
    barrier();
}
#endif
