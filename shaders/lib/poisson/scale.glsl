// Computes the unit of the sums over the cells of a rigid: a power of two, so that it divides exactly, by
// the size of what conjugate gradients work on.
// Buffers: solve.
#ifndef POISSON_SCALE_GLSL
#define POISSON_SCALE_GLSL
#include "reduce/fixed_sum.glsl"

float rigid_coupling_unit()
{
    int exponent = (floatBitsToInt(solve.product) >> 23) - 127; // of its square
    return intBitsToFloat(((exponent >> 1) + 127 - POISSON_RIGID_UNIT) << 23);
}
#endif
