// The velocity after the solve (Macklin and Mueller 2013, algorithm 1, line 21): the predicted velocity plus
// what solver and walls have moved since the prediction, over dt. The displacement of the whole substep over
// dt is the same, but it rounds gravity's part to the unit of positions. Clearances lose the displacement.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(new_velocities);
READ_ANY(velocities);
READ_OWN(iterates);
READ_OWN(starts);
READ_OWN(sources);
READ_OWN(sorted_clearances);
WRITE_OWN(clearances);
WORK(15, 0, 0);
#include "particles/external_forces.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.live);
    bool capped;
    ivec4 from = starts[i];
    ivec3 to = iterates[i].xyz;
    vec3 velocity = predict_velocity(fixed_metres(from.xyz), velocities[sources[i]].xyz, capped);
    vec3 moved = fixed_offset(to, from.xyz + fixed_step(velocity * status.dt)); // since the prediction
    velocity += moved / status.dt;
    if (to.x == SIM_LOST) velocity = vec3(uintBitsToFloat(0x7fc00000u));
    new_velocities[i] = vec4(velocity, params.fluids[from.w].xsph);
    if (STEADY) clearances[i] = sorted_clearances[i] - SIM_SOLID_SLOPE * length(moved);
}
