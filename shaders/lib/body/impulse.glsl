// Adds impulses to the fixed-point sums of a body.
// Buffers: params, body_impulse_sums (atomic).
#ifndef BODY_IMPULSE_GLSL
#define BODY_IMPULSE_GLSL
#include "body/impulse_sum.glsl"
#include "math/fixed_point.glsl"

// Adds an impulse times the substep, kg m, at the offset `arm` from the centre of mass, m.
void add_body_impulse(uint body, vec3 arm, vec3 impulse)
{
    vec3 moment = cross(arm, impulse);
    if (any(not_finite(impulse)) || any(not_finite(moment))) return; // from a non-finite particle
    float units = 1.0 / body_impulse_unit();
    for (uint axis = 0u; axis < 3u; axis++) {
        uint at = body * BODY_IMPULSE_WORDS + 2u * axis;
        INTEGER_ATOMIC_ADD(body_impulse_sums, at, impulse[axis] * units)
        INTEGER_ATOMIC_ADD(body_impulse_sums, at + 6u, moment[axis] * (units / params.spacing))
    }
}
#endif
