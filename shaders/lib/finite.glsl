// Numbers that are no numbers, found by their bits: an infinity or a NaN has all bits of the exponent set. A
// compiler that takes all floats for finite may drop isnan and isinf, and comparisons that NaN alone fails.

bool not_finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) == 0x7f800000u; }

bvec3 not_finite(vec3 x)
{
    return equal(floatBitsToUint(x) & 0x7f800000u, uvec3(0x7f800000u));
}
