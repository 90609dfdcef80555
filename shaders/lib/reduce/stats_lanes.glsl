// Sums the SIM_STATS_WORKGROUP partial sums in `lanes`, which the workgroup's invocations share, as integers.
// All invocations must call it.
#ifndef REDUCE_STATS_LANES_GLSL
#define REDUCE_STATS_LANES_GLSL
#include "reduce/fixed_sum4.glsl"

shared sim_fixed_sum4 lanes[SIM_STATS_WORKGROUP];

// Adds the upper half of `lanes` to the lower half until the first element has the total.
void workgroup_sum()
{
    for (uint half_way = SIM_STATS_WORKGROUP / 2u; half_way > 0u; half_way >>= 1) {
        barrier();
        for (uint k = gl_LocalInvocationIndex; k < half_way; k += gl_WorkGroupSize.x) {
            sim_fixed_sum4 sum = lanes[k];
            fixed_sum4_add(sum, lanes[k + half_way]);
            lanes[k] = sum;
        }
    }
    barrier();
}
#endif
