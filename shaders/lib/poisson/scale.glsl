// Computes the unit of the sums over the cells coupled to a rigid body: a power of two, so that division is
// exact, proportional to the magnitude of the residual of conjugate gradients.
// Buffers: solve.
#ifndef POISSON_SCALE_GLSL
#define POISSON_SCALE_GLSL
#include "reduce/fixed_sum.glsl"

float rigid_coupling_unit()
{
    int exponent = (floatBitsToInt(solve.residual_dot) >> 23) - 127; // solve.product is a square
    return intBitsToFloat(((exponent >> 1) + 127 - POISSON_RIGID_UNIT) << 23);
}
#endif
