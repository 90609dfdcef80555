// Sums vec4 in a fixed order, whatever the size of a workgroup: `lanes` holds SIM_STATS_WORKGROUP partial
// sums, which the workgroup's invocations share. All invocations must call it.
#ifndef REDUCE_STATS_LANES_GLSL
#define REDUCE_STATS_LANES_GLSL

shared vec4 lanes[SIM_STATS_WORKGROUP];

// Adds the upper half of `lanes` to the lower half until the first element has the total.
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
