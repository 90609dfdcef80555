// The velocity after the solve (Macklin and Mueller 2013, algorithm 1, line 21): the predicted velocity plus
// what solver and walls have moved since the prediction, over dt. The displacement of the whole substep over
// dt is the same, but it rounds gravity's part to the unit of positions. Clearances lose the displacement.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_WRITE(new_velocities);
GATHER(velocities);
OWN_READ(iterates);
OWN_READ(starts);
OWN_READ(sources);
OWN_READ(sorted_clearances);
OWN_WRITE(clearances);
WORK(15, 0, 0);
#include "predict.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
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
