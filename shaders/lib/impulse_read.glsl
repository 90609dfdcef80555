// Reads sums of impulses on bodies. Needs `params` (sim_params) and body_sums.

#include "whole.glsl"

float impulse_unit() { return params.spacing * params.fluids[0].mass * BODY_UNIT; } // kg m

// Three sums from `at` on, in impulse_unit().
vec3 impulse_read(uint at)
{
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++)
        sum[axis] = whole_value(uvec2(body_sums[at + 2u * axis], body_sums[at + 2u * axis + 1u]));
    return sum * impulse_unit();
}
