// Fluid and bodies meet: the part of the correction that bodies push a particle with, in the closed form of
// walls, then the particle is moved out of them, and of the walls behind it. The bodies get the opposite
// impulses, exactly; shaders/body/shift.comp moves them before the next iteration. Where the forces on solids
// are summed, meet_walls.comp moves the particles out of the walls: this shader binds as much as it may.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
GATHER(multipliers);
SCATTER_UPDATE(iterates);
GATHER(starts);
SCATTER_UPDATE(met);
GATHER(queues);
SCATTER_UPDATE(measured);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(body_cells);
GATHER(body_spheres);
GATHER(body_iterates);
ATOMIC(body_sums);
WORK(30, 0, 0);
#include "measure.glsl"
#define MEASURE_GAUGES
#include "measure_push.glsl"
#include "shape.glsl"
#include "wall.glsl"
#include "body_walk.glsl"
#include "impulse.glsl"

// Moves the particle and gives the impulse to the body.
void give(uint body, inout ivec3 p, vec3 moved, float mass)
{
    ivec3 step = fixed_step(moved);
    vec3 arm = fixed_metres(p) - body_iterates[body].position.xyz;
    if (all(equal(step, ivec3(0)))) return;
    p += step;
    atomicOr(body_sums[body * BODY_SUM_WORDS + BODY_SUM_TOUCHED], BODY_STIRRED);
    impulse_add(body, arm, -mass * (vec3(step) * params.origin.w));
}

// `strength`: what the constraint's gradient is multiplied by.
void push(uint body, ivec3 at, inout ivec3 p, float strength, float mass)
{
    wall_surface surface;
    wall_sum own = wall_none();
    if (!wall_find_surface(params.solid_count + body, fixed_metres(at), params.h, surface)) return;
    wall_add(own, surface.distance, surface.normal, vec3(0.0));
    vec3 moved = strength * own.gradient;
    float size = length(moved);
    give(body, p, size > params.correction_cap ? moved * (params.correction_cap / size) : moved, mass);
}

void push_all(ivec3 at, inout ivec3 p, float strength, float mass)
{
    body_walk walk = walk_begin(fixed_metres(at));
    uint body = walk_next_near(walk, fixed_metres(at), params.h);
    while (body != BODY_NONE) {
        push(body, at, p, strength, mass);
        body = walk_next_near(walk, fixed_metres(at), params.h);
    }
}

void project(uint body, ivec3 start, inout ivec3 p, float mass)
{
    wall_surface surface;
    uint item = params.solid_count + body;
    vec3 at = fixed_metres(p);
    if (!wall_find_surface(item, at, params.wall_gap, surface)) return;
    float depth = params.wall_gap - surface.distance;
    if (depth <= 0.0) return;
    vec3 slip = fixed_offset(p, start) - (at - surface.carried);
    give(body, p, surface.normal * depth + wall_friction(slip, surface.normal, depth, items[item].friction),
         mass);
}

void project_all(ivec3 start, inout ivec3 p, float mass)
{
    body_walk walk = walk_begin(fixed_metres(p));
    uint body = walk_next_near(walk, fixed_metres(p), params.wall_gap);
    while (body != BODY_NONE) {
        project(body, start, p, mass);
        body = walk_next_near(walk, fixed_metres(p), params.wall_gap);
    }
}

void main()
{
    if (row_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uint i = met[row_index()];
    if (FORCES) met[row_index()] = i | SIM_MET_KEPT;
    ivec4 own = multipliers[i];
    ivec3 p = iterates[i].xyz;
    if (own.x == SIM_LOST || p.x == SIM_LOST) return;
    float strength = params.relaxation * intBitsToFloat(iterates[i].w) * intBitsToFloat(own.w);
    float mass = params.fluids[uint(clamp(starts[i].w, 0, 15))].mass;
    push_all(own.xyz, p, strength, mass);
    ivec4 start = starts[i];
    project_all(start.xyz, p, mass);
    ivec4 before = iterates[i]; // read anew
    if (p == before.xyz) return;
    if (FORCES) {
        met[row_index()] = i;
        iterates[i] = ivec4(p, before.w);
        return;
    }
    measure_begin(i, start.w);
    iterates[i] = ivec4(wall_project(p, start.xyz), before.w);
}
