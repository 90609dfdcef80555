// What the viscous solve starts from: the predicted velocity, as walls have changed it.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(velocities);
READ_OWN(iterates);
READ_OWN(starts);
READ_OWN(sources);
WRITE_OWN(viscous_velocities);
WORK(15, 0, 0);
#include "particles/external_forces.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.live);
    bool capped;
    ivec3 from = starts[i].xyz;
    vec3 velocity = predict_velocity(fixed_metres(from), velocities[sources[i]].xyz, capped);
    vec3 pushed = fixed_offset(iterates[i].xyz, from + fixed_step(velocity * status.dt));
    viscous_velocities[i] = vec4(velocity + pushed / status.dt, 0.0);
}
