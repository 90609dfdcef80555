// Sums one value of each invocation over every SUM_SEGMENT successive invocations, in a fixed order that does
// not depend on the size of a workgroup, a multiple of SUM_SEGMENT.
#ifndef REDUCE_SEGMENT_SUM_GLSL
#define REDUCE_SEGMENT_SUM_GLSL
#ifndef SUM_TYPE
#error "define SUM_TYPE before segment_sum.glsl: the type of the values"
#endif
#ifndef SUM_LANES
#error "define SUM_LANES before segment_sum.glsl: the most invocations that a workgroup has"
#endif
#ifndef SUM_SEGMENT
#error "define SUM_SEGMENT before segment_sum.glsl: a power of two, at most the size of any workgroup"
#endif

shared SUM_TYPE segment_lanes[SUM_LANES / 2u];

// The result is the same for all invocations of a segment. Every invocation of the workgroup must call it.
SUM_TYPE segment_sum(SUM_TYPE own)
{
    uint lane = gl_LocalInvocationIndex % SUM_SEGMENT;
    uint first = gl_LocalInvocationIndex / SUM_SEGMENT * (SUM_SEGMENT / 2u);
    for (uint half_count = SUM_SEGMENT / 2u; half_count > 0u; half_count /= 2u) {
        if (lane >= half_count && lane < 2u * half_count) segment_lanes[first + lane - half_count] = own;
        barrier();
        if (lane < half_count) own += segment_lanes[first + lane];
        barrier();
    }
    if (lane == 0u) segment_lanes[first] = own;
    barrier();
    return segment_lanes[first];
}
#endif
