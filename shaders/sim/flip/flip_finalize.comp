// Ends a substep: keeps the particles out of walls and makes where they have come to the state.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(sorted_velocities);
READ_OWN(sorted_ids);
UPDATE_OWN(positions);
WRITE_OWN(velocities);
WRITE_OWN(iterated_positions);
WRITE_OWN(ids);
READ_SOLIDS();
#include "mac/collide.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    ivec4 to = positions[i];
    ivec3 p = to.xyz;
    vec3 velocity = sorted_velocities[i].xyz;
    bool lost = p.x == SIM_INVALID_POSITION;
    if (!lost) mac_project_particle(p, velocity);
    iterated_positions[i] = ivec4(p, 0); // what gauges of flow see: the path is not cut at a periodic side
    if (PERIODIC && !lost) p = fixed_wrap(p);
    positions[i] = ivec4(p, to.w);
    velocities[i] = vec4(velocity, 0.0);
    ids[i] = sorted_ids[i];
}
