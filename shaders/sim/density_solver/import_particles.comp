// Reads the host program's particles, in place of predict_positions.comp; one invocation per particle.
// Density solver only. The given positions are predictions already, so each particle gets the start from
// which its velocity leads there. A particle that cannot be solved counts as removed: one with a non-finite
// number, an inverse mass below 0, or a position beyond an open side.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
ATOMIC(import_report);
READ_ANY(external_positions);
READ_ANY(external_velocities);
READ_ANY(external_inverse_masses);
WRITE_OWN(positions);
WRITE_OWN(velocities);
WRITE_OWN(predicted_positions);
WRITE_OWN(ids);
#include "boundary/domain_sides.glsl"
#include "particles/removal.glsl"

ivec3 to_fixed_position(vec3 x)
{
    ivec3 p = fixed_from_metres(x);
    if (PERIODIC) p = fixed_wrap(p);
    if (params.planar != 0u) p.z = params.fixed_min.w;
    return p;
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.count);
    uint at = i * (pass.constant & SIM_EXTERNAL_STRIDE_MASK);
    vec3 x = vec3(external_positions[at], external_positions[at + 1u], external_positions[at + 2u]);
    vec3 v = vec3(external_velocities[at], external_velocities[at + 1u], external_velocities[at + 2u]);
    float weight = (pass.constant & SIM_EXTERNAL_HAS_MASSES) != 0u ? external_inverse_masses[i] : 1.0;
    vec3 displacement = v * status.dt;
    bool known = !any(not_finite(x)) && !any(not_finite(displacement)) && !not_finite(weight);
    ivec3 p = ivec3(SIM_INVALID_POSITION), start = p;
    if (known && weight >= 0.0) {
        p = to_fixed_position(x);
        start = p - fixed_from_offset(displacement);
        if (weight == 0.0) {
            weight = 0.0; // turns -0 into 0, because the sign bit marks a removed particle
            atomicAdd(import_report.fixed_count, 1u);
        } else {
            if (boundary_near_side(p, params.boundary_gap)) p = boundary_project_sides(p, start, vec3(0.0));
            if (has_left_domain(p)) weight = -1.0;
        }
    } else {
        weight = -1.0;
    }
    if (weight < 0.0) {
        p = ivec3(SIM_INVALID_POSITION);
        atomicAdd(import_report.skipped, 1u);
    }
    positions[i] = ivec4(start, 0);
    velocities[i] = vec4(v, 0.0);
    predicted_positions[i] = ivec4(p, floatBitsToInt(weight));
    ids[i] = i;
}
