// Sums one value of each invocation over a workgroup, in a fixed order. SUM_OF(a, b) may be another
// associative operation. A kernel that sums more than once defines SUM_REPEATS.
#ifndef REDUCE_WORKGROUP_SUM_GLSL
#define REDUCE_WORKGROUP_SUM_GLSL
#ifndef SUM_TYPE
#error "define SUM_TYPE before workgroup_sum.glsl: the type of the values"
#endif
#ifndef SUM_LANES
#error "define SUM_LANES before workgroup_sum.glsl: the most invocations that a workgroup has"
#endif
#ifndef SUM_COUNT
#define SUM_COUNT SUM_LANES // invocations, where a specialization constant says how many there are
#endif
#ifndef SUM_OF
#define SUM_OF(a, b) a + b
#endif
#include "reduce/workgroup_tree.glsl"

shared SUM_TYPE sum_lanes[SUM_LANES];

// The result is the same for all invocations, and every invocation must call it.
SUM_TYPE workgroup_sum(SUM_TYPE own)
{
    uint lane = gl_LocalInvocationIndex;
#ifdef SUM_REPEATS
    barrier(); // all have read the last sum
#endif
    sum_lanes[lane] = own;
    barrier();
    WORKGROUP_TREE(lane, SUM_COUNT, sum_lanes[lane] = SUM_OF(sum_lanes[lane], sum_lanes[lane + half_count]))
    return sum_lanes[0];
}
#endif
