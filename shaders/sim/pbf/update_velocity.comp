// Computes the velocity after the solve (Macklin and Mueller 2013, algorithm 1, line 21) as the predicted
// velocity plus the displacement by solver and walls since the prediction, over dt; one invocation per
// particle. The displacement of the whole substep over dt is mathematically the same, but would round
// gravity's part to the position unit. Subtracts the displacement from the clearances.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(new_velocities);
READ_ANY(velocities);
READ_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_OWN(sort_sources);
READ_OWN(sorted_clearances);
WRITE_OWN(clearances);
WORK_ESTIMATE(15, 0, 0);
#include "particles/external_forces.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.held);
    bool capped;
    ivec4 from = sorted_positions[i];
    ivec3 to = iterated_positions[i].xyz;
    vec4 before = velocities[sort_sources[i]];
    if (HAS_FIXED_PARTICLES && before.w > 0.0) { // led by an emitter
        new_velocities[i] = vec4(before.xyz, -before.w);
        return;
    }
    vec3 velocity = predict_velocity(fixed_to_metres(from.xyz), before.xyz, capped);
    vec3 moved = fixed_offset(to, from.xyz + fixed_from_offset(velocity * status.dt)); // since the prediction
    velocity += moved / status.dt;
    if (to.x == SIM_INVALID_POSITION) velocity = vec3(uintBitsToFloat(0x7fc00000u));
    new_velocities[i] = vec4(velocity, params.fluids[from.w].xsph);
    if (STATIC_SOLIDS) clearances[i] = sorted_clearances[i] - SIM_SDF_MAX_SLOPE * length(moved);
}
