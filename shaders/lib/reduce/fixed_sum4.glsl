// Sums vectors of floats as 64-bit integers in two words per component, so that the order of the values does
// not matter. An invocation first adds up to 64 values of its own as terms, high * 2^24 + low with signed
// words, which is cheap, and then turns them into a sum.
#ifndef REDUCE_FIXED_SUM4_GLSL
#define REDUCE_FIXED_SUM4_GLSL
#include "sim.h"

const float FIXED_TERM_HIGH = 16777216.0;

// Returns the largest value that may be added, such that a sum of n values does not overflow.
float fixed_sum_limit(uint n) { return min(4e18 / float(max(n, 1u)), 281474976710656.0); }

sim_fixed_sum4 fixed_terms4_zero() { return sim_fixed_sum4(uvec4(0u), uvec4(0u)); }

// Adds the integers nearest to four values, which are clamped to +-limit.
void fixed_terms4_add(inout sim_fixed_sum4 terms, vec4 value, float limit)
{
    value = clamp(value, -limit, limit);
    vec4 high = roundEven(value * (1.0 / FIXED_TERM_HIGH)), low = roundEven(value - high * FIXED_TERM_HIGH);
    terms.low += uvec4(ivec4(low));
    terms.high += uvec4(ivec4(high));
}

void fixed_sum4_add(inout sim_fixed_sum4 sum, sim_fixed_sum4 other)
{
    uvec4 carry;
    sum.low = uaddCarry(sum.low, other.low, carry);
    sum.high += other.high + carry;
}

sim_fixed_sum4 fixed_sum4_from_terms(sim_fixed_sum4 terms)
{
    sim_fixed_sum4 sum = sim_fixed_sum4(terms.high << 24, uvec4(ivec4(terms.high) >> 8));
    fixed_sum4_add(sum, sim_fixed_sum4(terms.low, uvec4(ivec4(terms.low) >> 31)));
    return sum;
}

vec4 fixed_sum4_value(sim_fixed_sum4 sum)
{
    bvec4 negative = notEqual(sum.high & 0x80000000u, uvec4(0u));
    uvec4 low = ~sum.low + 1u, high = ~sum.high + uvec4(equal(low, uvec4(0u)));
    vec4 value = vec4(mix(sum.high, high, negative)) * 4294967296.0 + vec4(mix(sum.low, low, negative));
    return mix(value, -value, negative);
}
#endif
