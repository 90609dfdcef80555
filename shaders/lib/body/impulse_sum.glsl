// Reads the fixed-point sums of impulses on a body.
// Buffers: params, body_impulse_sums.
#ifndef BODY_IMPULSE_SUM_GLSL
#define BODY_IMPULSE_SUM_GLSL
#include "reduce/fixed_sum.glsl"

float body_impulse_unit() { return params.spacing * params.fluids[0].mass * BODY_IMPULSE_UNIT; } // kg m

// Returns the three sums that start at the word `at`, kg m.
vec3 read_body_impulse(uint at)
{
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++)
        sum[axis] =
            integer_value(uvec2(body_impulse_sums[at + 2u * axis], body_impulse_sums[at + 2u * axis + 1u]));
    return sum * body_impulse_unit();
}
#endif
