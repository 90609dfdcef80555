// Clears the impulses of each solid at the substep's start, and adds them to the frame's mean force and
// torque when the substep is complete (pass.constant: SIM_SOLID_FORCES_*). One invocation per solid.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_ANY(solid_impulse_sums);
UPDATE_ANY(solid_forces);
#include "reduce/fixed_sum.glsl"

// Returns the force in N, or the torque in N m over the spacing, from the integer sums at `at`.
vec3 force_of(uint at)
{
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++)
        sum[axis] =
            integer_value(uvec2(solid_impulse_sums[at + 2u * axis], solid_impulse_sums[at + 2u * axis + 1u]));
    float unit = params.spacing * params.fluids[0].mass * BODY_IMPULSE_UNIT;
    return sum * (unit / (status.dt * status.dt * float(status.substeps)));
}

void main()
{
    uint i = invocation_index(), at = i * SIM_SOLID_IMPULSE_WORDS;
    RETURN_IF_HALTED(i >= params.solid_count);
    if (pass.constant == SIM_SOLID_FORCES_CLEAR) {
        for (uint k = 0u; k < SIM_SOLID_IMPULSE_WORDS; k++) solid_impulse_sums[at + k] = 0u;
        return;
    }
    vec4 force = solid_forces[2u * i], torque = solid_forces[2u * i + 1u];
    if (status.substep == 0u) force = torque = vec4(0.0);
    solid_forces[2u * i] = force + vec4(force_of(at), 0.0);
    solid_forces[2u * i + 1u] = torque + vec4(params.spacing * force_of(at + 6u), 0.0);
}
