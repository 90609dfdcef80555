// Keeps the particles out of bodies, which get what a particle loses of its momentum.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_UPDATE(positions);
OWN_UPDATE(sorted_velocities);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(bodies);
GATHER(body_cells);
GATHER(body_spheres);
GATHER(body_iterates);
ATOMIC(body_sums);
#include "shape.glsl"
#include "wall.glsl"
#include "mac_collide.glsl"
#include "body_velocity.glsl"
#include "body_walk.glsl"
#include "impulse.glsl"

void meet(uint body, inout vec3 at, inout vec3 velocity, float mass)
{
    wall_surface surface;
    uint item = params.solid_count + body;
    float gap = params.wall_gap;
    if (!wall_find_surface(item, at, gap, surface) || surface.distance >= gap) return;
    vec3 before = velocity;
    at += surface.normal * (gap - surface.distance);
    velocity = mac_bounce(velocity, body_velocity_at(body, at), surface.normal, items[item].friction);
    if (velocity == before) return;
    impulse_add(body, at - body_iterates[body].position.xyz, (before - velocity) * (mass * status.dt));
    atomicOr(body_sums[body * BODY_SUM_WORDS + BODY_SUM_TOUCHED], BODY_STIRRED);
}

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 to = positions[i];
    if (to.x == SIM_LOST) return;
    vec3 velocity = sorted_velocities[i].xyz, start = fixed_metres(to.xyz), at = start;
    float mass = params.fluids[uint(clamp(to.w, 0, 15))].mass;
    body_walk walk = walk_begin(at);
    uint body = walk_next_near(walk, at, params.wall_gap);
    while (body != BODY_NONE) {
        meet(body, at, velocity, mass);
        body = walk_next_near(walk, at, params.wall_gap);
    }
    positions[i] = ivec4(to.xyz + fixed_step(at - start), to.w);
    sorted_velocities[i].xyz = velocity;
}
