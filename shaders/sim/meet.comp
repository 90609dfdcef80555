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
#include "met.glsl"
#include "impulse.glsl"

// Moves the particle and gives the impulse to the body.
void give(uint body, inout ivec3 p, vec3 moved, float mass)
{
    ivec3 step = fixed_step(moved);
    vec3 arm = fixed_metres(p) - body_iterates[body].position.xyz;
    if (all(equal(step, ivec3(0)))) return;
    p += step;
    uint touched = body * BODY_SUM_WORDS + BODY_SUM_TOUCHED;
    if ((body_sums[touched] & BODY_STIRRED) == 0u) atomicOr(body_sums[touched], BODY_STIRRED);
    impulse_add(body, arm, -mass * (vec3(step) * params.origin.w));
}

// What a body moves the particle by in the constraint's correction; `gradient` is the body's own.
vec3 pushed(vec3 gradient, float strength)
{
    vec3 moved = strength * gradient;
    float size = length(moved);
    return size > params.correction_cap ? moved * (params.correction_cap / size) : moved;
}

// The bodies that are listed: surround.comp has kept their gradients.
void push_listed(uvec2 bodies, inout ivec3 p, float strength, float mass)
{
    met_walk walk = met_begin(bodies, vec3(0.0));
    uint body = met_is_listed(bodies) ? met_next_listed(walk) : BODY_NONE;
    while (body != BODY_NONE) {
        vec4 own = uintBitsToFloat(met[met_kept_at(row_index(), walk.next - 1u)]);
        give(body, p, pushed(own.xyz, strength), mass);
        body = met_next_listed(walk);
    }
}

// Where a body is nearer to `at` than the reach: what it moves the particle by, in the correction or out of
// itself.
vec3 moved_by(uint body, ivec3 at, ivec3 start, bool corrects, float strength)
{
    wall_surface surface;
    uint item = params.solid_count + body;
    vec3 place = fixed_metres(at);
    float reach = corrects ? params.h : params.wall_gap, depth = 0.0;
    bool near = wall_find_surface(item, place, reach, surface);
    wall_sum own = wall_none();
    if (near && corrects) wall_add_in(own, surface.distance, surface.normal, vec3(0.0), false);
    if (near && !corrects) depth = max(params.wall_gap - surface.distance, 0.0);
    vec3 slip = fixed_offset(at, start) - (place - surface.carried);
    vec3 out_of = surface.normal * depth;
    if (depth > 0.0) out_of += wall_friction(slip, surface.normal, depth, items[item].friction);
    return corrects ? pushed(own.gradient, strength) : depth > 0.0 ? out_of : vec3(0.0);
}

// The next body that the particle may be in: of those that are listed, one that was so near where the
// constraint was that the way from there may lead into it.
uint next_close(inout met_walk walk, ivec3 at, ivec3 p)
{
    if (!met_is_listed(walk.bodies)) return walk_next_near(walk.all, fixed_metres(p), params.wall_gap);
    float within = params.wall_gap + SIM_SOLID_SLOPE * length(fixed_offset(p, at)) + 0.01 * params.spacing;
    uint body = met_next_listed(walk);
    while (body != BODY_NONE) {
        if (uintBitsToFloat(met[met_kept_at(row_index(), walk.next - 1u)].w) < within) break;
        body = met_next_listed(walk);
    }
    return body;
}

// Those that are not listed push, then all move the particle out of themselves. It is one loop, because CPU
// drivers carry out all that a loop holds.
void leave_all(uvec2 bodies, ivec3 at, ivec3 start, inout ivec3 p, float strength, float mass)
{
    bool corrects = !met_is_listed(bodies);
    met_walk walk = met_begin(bodies, fixed_metres(at));
    uint body = corrects ? walk_next_near(walk.all, fixed_metres(at), params.h) : next_close(walk, at, p);
    while (body != BODY_NONE || corrects) {
        if (body == BODY_NONE) {
            corrects = false;
            walk = met_begin(bodies, fixed_metres(p));
        } else {
            give(body, p, moved_by(body, corrects ? at : p, start, corrects, strength), mass);
        }
        if (corrects) body = walk_next_near(walk.all, fixed_metres(at), params.h);
        else body = next_close(walk, at, p);
    }
}

void main()
{
    if (row_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uvec4 head = met[row_index()];
    uint i = head.x;
    if (FORCES) met[row_index()].x = i | SIM_MET_KEPT;
    ivec4 own = multipliers[i];
    ivec3 p = iterates[i].xyz;
    if (own.x == SIM_LOST || p.x == SIM_LOST) return;
    float strength = params.relaxation * intBitsToFloat(iterates[i].w) * intBitsToFloat(own.w);
    float mass = params.fluids[uint(clamp(starts[i].w, 0, 15))].mass;
    push_listed(head.yz, p, strength, mass);
    ivec4 start = starts[i];
    leave_all(head.yz, own.xyz, start.xyz, p, strength, mass);
    ivec4 before = iterates[i]; // read anew
    if (p == before.xyz) return;
    if (FORCES) {
        met[row_index()].x = i;
        iterates[i] = ivec4(p, before.w);
        return;
    }
    measure_begin(i, start.w);
    iterates[i] = ivec4(wall_project(p, start.xyz), before.w);
}
