// What the viscous solve starts from: the predicted velocity, as walls have changed it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
GATHER(velocities);
OWN_READ(iterates);
OWN_READ(starts);
OWN_READ(sources);
OWN_WRITE(viscous_velocities);
WORK(15, 0, 0);
#include "predict.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    bool capped;
    ivec3 from = starts[i].xyz;
    vec3 velocity = predict_velocity(fixed_metres(from), velocities[sources[i]].xyz, capped);
    vec3 pushed = fixed_offset(iterates[i].xyz, from + fixed_step(velocity * status.dt));
    viscous_velocities[i] = vec4(velocity + pushed / status.dt, 0.0);
}
