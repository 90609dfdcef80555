// Ends a substep: keeps the particles out of walls and makes where they have come to the state.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_READ(sorted_velocities);
OWN_READ(sorted_ids);
OWN_UPDATE(positions);
OWN_WRITE(velocities);
OWN_WRITE(iterates);
OWN_WRITE(ids);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
#include "shape.glsl"
#include "wall.glsl"
#include "mac_collide.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 to = positions[i];
    ivec3 p = to.xyz;
    vec3 velocity = sorted_velocities[i].xyz;
    bool lost = p.x == SIM_LOST;
    if (!lost) mac_collide(p, velocity);
    iterates[i] = ivec4(p, 0); // what gauges of flow see: the path is not cut at a periodic side
    if (PERIODIC && !lost) p = fixed_wrapped(p);
    positions[i] = ivec4(p, to.w);
    velocities[i] = vec4(velocity, 0.0);
    ids[i] = sorted_ids[i];
}
