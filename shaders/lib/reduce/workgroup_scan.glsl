// Computes prefix sums over a workgroup of SCAN_LANES invocations (Hillis and Steele 1986: log2(SCAN_LANES)
// steps).
#ifndef REDUCE_WORKGROUP_SCAN_GLSL
#define REDUCE_WORKGROUP_SCAN_GLSL
#ifndef SCAN_TYPE
#error "define SCAN_TYPE before workgroup_scan.glsl: the type of the values, uint or a vector of it"
#endif
#ifndef SCAN_LANES
#error "define SCAN_LANES before workgroup_scan.glsl: the invocations of a workgroup"
#endif

shared SCAN_TYPE lane_sums[SCAN_LANES];

// Adds the parts of all lower lanes to the part of each lane. Every invocation must call it.
void scan_workgroup(uint lane)
{
    barrier();
    for (uint step = 1u; step < SCAN_LANES; step <<= 1) {
        SCAN_TYPE other = lane >= step ? lane_sums[lane - step] : SCAN_TYPE(0u);
        barrier();
        lane_sums[lane] += other;
        barrier();
    }
}

// Returns the sum of the values of all lower lanes; `all` is the sum of all. Every invocation must call it.
SCAN_TYPE workgroup_exclusive_scan(SCAN_TYPE own, out SCAN_TYPE all)
{
    uint lane = gl_LocalInvocationIndex;
    lane_sums[lane] = own;
    scan_workgroup(lane);
    SCAN_TYPE before = lane_sums[lane] - own;
    all = lane_sums[SCAN_LANES - 1u];
    barrier();
    return before;
}
#endif
