// Exclusive sums over a workgroup of POISSON_WORKGROUP invocations, of two numbers at once (Hillis and Steele
// 1986).
shared uvec2 parts[POISSON_WORKGROUP];

// The sum of the numbers of all invocations before this one; `all` is that of all. Call it from all of them.
uvec2 sum_before(uvec2 own, out uvec2 all)
{
    uint lane = gl_LocalInvocationIndex;
    parts[lane] = own;
    barrier();
    for (uint step = 1u; step < POISSON_WORKGROUP; step <<= 1) {
        uvec2 other = lane >= step ? parts[lane - step] : uvec2(0u);
        barrier();
        parts[lane] += other;
        barrier();
    }
    uvec2 before = parts[lane] - own;
    all = parts[POISSON_WORKGROUP - 1u];
    barrier();
    return before;
}
