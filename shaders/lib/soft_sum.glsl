// Sums over a workgroup of SOFT_SUM_OVER invocations, in the same order every time.

shared vec4 parts[SOFT_SUM_OVER];

vec4 sum_of(vec4 own)
{
    uint i = gl_LocalInvocationID.x;
    barrier();
    parts[i] = own;
    for (uint half_size = SOFT_SUM_OVER / 2u; half_size > 0u; half_size /= 2u) {
        barrier();
        if (i < half_size) parts[i] += parts[i + half_size];
    }
    barrier();
    return parts[0];
}
