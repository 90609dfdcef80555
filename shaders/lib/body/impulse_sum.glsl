// Reads the fixed-point sums of impulses on a body.
// Buffers: params, body_sums.
#ifndef BODY_IMPULSE_SUM_GLSL
#define BODY_IMPULSE_SUM_GLSL
#include "reduce/fixed_sum.glsl"

float impulse_unit() { return params.spacing * params.fluids[0].mass * BODY_UNIT; } // kg m

// Three sums from `at` on, in impulse_unit().
vec3 impulse_read(uint at)
{
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++)
        sum[axis] = whole_value(uvec2(body_sums[at + 2u * axis], body_sums[at + 2u * axis + 1u]));
    return sum * impulse_unit();
}
#endif
