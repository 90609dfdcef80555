// Ends a substep: projects the particles out of walls and writes positions, velocities and ids to the state.
// One invocation per particle. Until then `iterated_positions` holds the velocities.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(sorted_ids);
UPDATE_OWN(positions);
WRITE_OWN(velocities);
UPDATE_OWN(iterated_positions);
WRITE_OWN(ids);
READ_SOLIDS();
#include "mac/collide.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    ivec4 to = positions[i];
    ivec3 p = to.xyz;
    vec4 own = intBitsToFloat(iterated_positions[i]);
    vec3 velocity = own.xyz;
    bool lost = p.x == SIM_INVALID_POSITION;
    if (!lost) mac_project_particle(p, velocity);
    // for gauges of flow, which need the path before it is wrapped at a periodic side
    iterated_positions[i] = ivec4(p, 0);
    if (PERIODIC && !lost) p = fixed_wrap(p);
    positions[i] = ivec4(p, to.w);
    velocities[i] = vec4(velocity, own.w);
    ids[i] = sorted_ids[i];
}
