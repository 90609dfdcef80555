// Computes the initial velocity of the viscous solve: the predicted velocity plus the change by walls; and
// the dynamic viscosity of the particle (w, Pa s). One invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(velocities);
READ_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_OWN(sort_sources);
READ_OWN(particle_materials);
WRITE_OWN(viscous_velocities);
WORK_ESTIMATE(15, 0, 0);
#include "particles/external_forces.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    bool capped;
    ivec4 start = sorted_positions[i];
    ivec3 from = start.xyz;
    float viscosity = MATERIAL_CURVES ? particle_materials[i].x : params.fluids[start.w].dynamic_viscosity;
    vec3 velocity = predict_velocity(fixed_to_metres(from), velocities[sort_sources[i]].xyz, capped);
    vec3 pushed = fixed_offset(iterated_positions[i].xyz, from + fixed_from_offset(velocity * status.dt));
    viscous_velocities[i] = vec4(velocity + pushed / status.dt, viscosity);
}
