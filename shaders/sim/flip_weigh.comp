// One invocation a body: how it answers the pressure, for the matrix of the pressure's equation. The pressure
// is p dt / rho, the vectors of ties are those of areas over an edge of a cell's.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(bodies);
GATHER(body_iterates);
SCATTER(rigids);
SCATTER(rigid_sums);
#include "shape.glsl"
#include "wall.glsl"
#include "turn.glsl"

void main()
{
    uint i = row_index();
    if (i >= wall_bodies() || state.flags != 0u || status.running == 0u) return;
    body_state at = body_iterates[i];
    vec3 size = params.cell_size.xyz;
    float edge = min(size.x, min(size.y, size.z)), mass = params.fluids[0].density * size.x * size.y * size.z;
    float moves = at.position.w == 0.0 ? mass : 0.0, turns = edge * edge * moves;
    vec3 x = turn_by_inertia(i, at.rotation, vec3(turns, 0.0, 0.0));
    vec3 y = turn_by_inertia(i, at.rotation, vec3(0.0, turns, 0.0));
    vec3 z = turn_by_inertia(i, at.rotation, vec3(0.0, 0.0, turns));
    rigids[i].matrix = vec4(moves * bodies[i].centre.w, x.x, y.y, z.z);
    rigids[i].across = vec4(y.x, z.x, z.y, 0.0);
    for (uint k = 0u; k < POISSON_RIGID_WORDS; k++) rigid_sums[i * POISSON_RIGID_WORDS + k] = 0u;
}
