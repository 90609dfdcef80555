// Sums in xyz and a maximum in w over a workgroup, in one fixed order whatever the size of a subgroup.

shared vec4 lanes[POISSON_WORKGROUP];

vec4 lanes_pair(vec4 a, vec4 b) { return vec4(a.xyz + b.xyz, max(a.w, b.w)); }

// The result is that of lane 0.
vec4 lanes_join(vec4 value)
{
    uint lane = gl_LocalInvocationIndex;
    lanes[lane] = value;
    barrier();
    for (uint half_way = POISSON_WORKGROUP / 2u; half_way > 0u; half_way >>= 1) {
        if (lane < half_way) lanes[lane] = lanes_pair(lanes[lane], lanes[lane + half_way]);
        barrier();
    }
    return lanes[0];
}
