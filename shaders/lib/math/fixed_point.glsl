// Detects non-finite numbers, and converts fixed-point positions. Non-finite numbers are detected by their
// bits: an infinity or a NaN has all bits of the exponent set. A compiler that assumes finite floats may drop
// isnan and isinf, and comparisons that only NaN fails.
#ifndef MATH_FIXED_POINT_GLSL
#define MATH_FIXED_POINT_GLSL

bool not_finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) == 0x7f800000u; }

bvec3 not_finite(vec3 x)
{
    return equal(floatBitsToUint(x) & 0x7f800000u, uvec3(0x7f800000u));
}

// Fixed-point positions are integers in a unit that is h over a power of two (src/sim/state/fixed_point.c),
// from the centre of the domain. Their differences are exact everywhere; floats in metres would round each
// position by a millionth of a spacing. Buffers: params.

// Longest offset, in units; longer ones are clamped. A domain is at most 2^30 units long, so a position plus
// such an offset, and the offset from there to the far side, still fit 32 bits.
const float FIXED_MAX_OFFSET = 1e9;

// Returns a position in metres. `precise`, so that the host computes the same bits (sim_to_metres).
vec3 fixed_to_metres(ivec3 p)
{
    precise vec3 offset = vec3(p) * params.origin.w, metres = params.origin.xyz + offset;
    return metres;
}

// Returns the offset from q to p, m.
vec3 fixed_offset(ivec3 p, ivec3 q) { return vec3(p - q) * params.origin.w; }

// Returns an offset in metres, which must be finite, rounded to units.
ivec3 fixed_from_offset(vec3 offset)
{
    return ivec3(roundEven(clamp(offset * params.units_per_metre, -FIXED_MAX_OFFSET, FIXED_MAX_OFFSET)));
}

ivec3 fixed_from_metres(vec3 metres) { return fixed_from_offset(metres - params.origin.xyz); }

// Returns whether this displacement makes a position non-finite.
bool fixed_is_non_finite(vec3 offset) { return any(not_finite(offset)); }

// Wraps a position into the domain on periodic axes. The float quotient may be off by one next to a side.
ivec3 fixed_wrap(ivec3 p)
{
    ivec3 period = params.fixed_period.xyz, low = params.fixed_min.xyz;
    bvec3 wraps = greaterThan(period, ivec3(0));
    p -= period * ivec3(floor(mix(vec3(0.0), vec3(p - low) / vec3(period), wraps)));
    p += mix(ivec3(0), period, lessThan(p, low));
    return p - mix(ivec3(0), period, greaterThanEqual(p, low + period));
}
#endif
