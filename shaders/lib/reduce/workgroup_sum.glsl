// Sums one value of each invocation over a workgroup, in a fixed order. SUM_OF(a, b) may be another
// associative operation. A shader that sums more than once defines SUM_REPEATS. A shader whose occupancy is
// limited by shared memory defines SUM_HALF_MEMORY, which costs one more barrier per level.
#ifndef REDUCE_WORKGROUP_SUM_GLSL
#define REDUCE_WORKGROUP_SUM_GLSL
#ifndef SUM_TYPE
#error "define SUM_TYPE before workgroup_sum.glsl: the type of the values"
#endif
#ifndef SUM_LANES
#error "define SUM_LANES before workgroup_sum.glsl: the most invocations that a workgroup has"
#endif
#ifndef SUM_COUNT
#define SUM_COUNT SUM_LANES // number of invocations; define it if a specialization constant sets it
#endif
#ifndef SUM_OF
#define SUM_OF(a, b) a + b
#endif
#include "reduce/workgroup_tree.glsl"

#ifdef SUM_HALF_MEMORY
shared SUM_TYPE sum_lanes[SUM_LANES / 2u];
#else
shared SUM_TYPE sum_lanes[SUM_LANES];
#endif

// The result is the same for all invocations, and every invocation must call it.
SUM_TYPE workgroup_sum(SUM_TYPE own)
{
    uint lane = gl_LocalInvocationIndex;
#ifdef SUM_REPEATS
    barrier(); // all have read the last sum
#endif
#ifdef SUM_HALF_MEMORY
    for (uint half_count = SUM_COUNT / 2u; half_count > 0u; half_count /= 2u) {
        if (lane >= half_count && lane < 2u * half_count) sum_lanes[lane - half_count] = own;
        barrier();
        if (lane < half_count) own = SUM_OF(own, sum_lanes[lane]);
        barrier();
    }
    if (lane == 0u) sum_lanes[0] = own;
    barrier();
#else
    sum_lanes[lane] = own;
    barrier();
    WORKGROUP_TREE(lane, SUM_COUNT, sum_lanes[lane] = SUM_OF(sum_lanes[lane], sum_lanes[lane + half_count]))
#endif
    return sum_lanes[0];
}
#endif
