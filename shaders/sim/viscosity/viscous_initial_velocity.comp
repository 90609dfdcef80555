// Computes the initial velocity of the viscous solve: the predicted velocity plus the change by walls. One
// invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(velocities);
READ_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_OWN(sort_sources);
WRITE_OWN(viscous_velocities);
WORK_ESTIMATE(15, 0, 0);
#include "particles/external_forces.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    bool capped;
    ivec3 from = sorted_positions[i].xyz;
    vec3 velocity = predict_velocity(fixed_to_metres(from), velocities[sort_sources[i]].xyz, capped);
    vec3 pushed = fixed_offset(iterated_positions[i].xyz, from + fixed_from_offset(velocity * status.dt));
    viscous_velocities[i] = vec4(velocity + pushed / status.dt, 0.0);
}
