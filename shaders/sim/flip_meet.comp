// Keeps the particles out of bodies, which get what a particle loses of its momentum.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(positions);
UPDATE_OWN(sorted_velocities);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_cells);
READ_ANY(body_spheres);
READ_ANY(body_iterates);
ATOMIC(body_sums);
#include "mac/collide.glsl"
#include "body/velocity.glsl"
#include "body/query.glsl"
#include "body/impulse.glsl"

// The particle's velocity and mass are read where they are needed: held while a distance is asked for, they
// take registers.
void meet(uint i, uint body, inout vec3 at)
{
    wall_surface surface;
    uint item = params.solid_count + body;
    float gap = params.wall_gap;
    if (!wall_find_surface(item, at, gap, surface) || surface.distance >= gap) return;
    vec3 before = sorted_velocities[i].xyz;
    at += surface.normal * (gap - surface.distance);
    vec3 velocity = mac_bounce(before, body_velocity_at(body, at), surface.normal, items[item].friction);
    if (velocity == before) return;
    sorted_velocities[i].xyz = velocity;
    float mass = params.fluids[uint(clamp(positions[i].w, 0, 15))].mass;
    impulse_add(body, at - body_iterates[body].position.xyz, (before - velocity) * (mass * status.dt));
    atomicOr(body_sums[body * BODY_SUM_WORDS + BODY_SUM_TOUCHED], BODY_STIRRED);
}

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.live);
    if (positions[i].x == SIM_LOST) return;
    vec3 at = fixed_metres(positions[i].xyz);
    body_walk walk = walk_begin(at);
    uint body = walk_next_near(walk, at, params.wall_gap);
    while (body != BODY_NONE) {
        meet(i, body, at);
        body = walk_next_near(walk, at, params.wall_gap);
    }
    ivec4 to = positions[i];
    positions[i].xyz = to.xyz + fixed_step(at - fixed_metres(to.xyz));
}
