// The velocity that the corrections amount to (Macklin and Mueller 2013, algorithm 1, line 21): the
// predicted one and what the solver and the walls have moved since. The way from the start over the
// substep would be the same, but for the rounding of gravity's share to a unit of places.
// Reads sources, v (in the order before the sort), start, a, sorted away; writes x (xyz velocity, w
// viscosity) and away (less what the solver has moved).
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
    new_velocities[i] = vec4(velocity, params.fluids[from.w].viscosity);
    if (STEADY) clearances[i] = sorted_clearances[i] - SIM_SOLID_SLOPE * length(moved);
}
