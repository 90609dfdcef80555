// Adds impulses to the fixed-point sums of a solid.
// Buffers: params, solid_impulse_sums (atomic).
#ifndef BOUNDARY_SOLID_IMPULSE_GLSL
#define BOUNDARY_SOLID_IMPULSE_GLSL
#include "math/fixed_point.glsl"
#include "reduce/fixed_sum.glsl"

// Adds an impulse times the substep, kg m, at p, m.
void add_solid_impulse(uint item, vec3 p, vec3 impulse)
{
    vec3 moment = cross(p - params.origin.xyz, impulse);
    if (any(not_finite(impulse)) || any(not_finite(moment))) return; // from a non-finite particle
    float units = 1.0 / (params.spacing * params.fluids[0].mass * BODY_IMPULSE_UNIT);
    for (uint axis = 0u; axis < 3u; axis++) {
        uint at = item * SIM_SOLID_IMPULSE_WORDS + 2u * axis;
        INTEGER_ATOMIC_ADD(solid_impulse_sums, at, impulse[axis] * units)
        INTEGER_ATOMIC_ADD(solid_impulse_sums, at + 6u, moment[axis] * (units / params.spacing))
    }
}
#endif
