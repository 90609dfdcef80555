// Sums vectors of floats as 64-bit integers in two words per component, so that the order of the values does
// not matter. A sum of n values does not overflow if none is beyond fixed_sum_limit(n).
#ifndef REDUCE_FIXED_SUM4_GLSL
#define REDUCE_FIXED_SUM4_GLSL
#include "sim.h"

float fixed_sum_limit(uint n) { return 4e18 / float(max(n, 1u)); }

// Returns minus a sum where `negative`.
sim_fixed_sum4 fixed_sum4_negate(sim_fixed_sum4 sum, bvec4 negative)
{
    uvec4 low = ~sum.low + 1u, high = ~sum.high + uvec4(equal(low, uvec4(0u)));
    return sim_fixed_sum4(mix(sum.low, low, negative), mix(sum.high, high, negative));
}

// Adds the integers nearest to four values, which are clamped to +-limit.
void fixed_sum4_add(inout sim_fixed_sum4 sum, vec4 value, float limit)
{
    vec4 size = min(roundEven(abs(value)), limit), high = floor(size / 4294967296.0);
    sim_fixed_sum4 term = sim_fixed_sum4(uvec4(size - high * 4294967296.0), uvec4(high));
    term = fixed_sum4_negate(term, lessThan(value, vec4(0.0)));
    uvec4 carry;
    sum.low = uaddCarry(sum.low, term.low, carry);
    sum.high += term.high + carry;
}

void fixed_sum4_add(inout sim_fixed_sum4 sum, sim_fixed_sum4 other)
{
    uvec4 carry;
    sum.low = uaddCarry(sum.low, other.low, carry);
    sum.high += other.high + carry;
}

vec4 fixed_sum4_value(sim_fixed_sum4 sum)
{
    bvec4 negative = notEqual(sum.high & 0x80000000u, uvec4(0u));
    sim_fixed_sum4 size = fixed_sum4_negate(sum, negative);
    vec4 value = vec4(size.high) * 4294967296.0 + vec4(size.low);
    return mix(value, -value, negative);
}
#endif
