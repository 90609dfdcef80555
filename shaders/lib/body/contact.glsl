// Applies the contact of one body to a particle, and the opposite impulse to the body.
// Buffers: met, iterates, body_iterates, body_sums, and those of boundary.glsl.
#ifndef BODY_CONTACT_GLSL
#define BODY_CONTACT_GLSL
#include "body/impulse.glsl"
#include "boundary/boundary.glsl"

// What a body moves the particle by in the constraint's correction; `gradient` is the body's own.
vec3 meet_push(vec3 gradient, float strength)
{
    vec3 moved = strength * gradient;
    float size = length(moved);
    return size > params.correction_cap ? moved * (params.correction_cap / size) : moved;
}

// What it takes to leave the body; `start`: where the particle was at the substep's start.
vec3 meet_way_out(wall_surface surface, uint item, ivec3 p, ivec3 start)
{
    float depth = params.wall_gap - surface.distance;
    if (depth <= 0.0) return vec3(0.0);
    vec3 slip = fixed_offset(p, start) - (fixed_metres(p) - surface.carried);
    return surface.normal * depth + wall_friction(slip, surface.normal, depth, item_friction(item));
}

// Moves the particle and gives the impulse to the body.
void meet_give(uint body, inout ivec3 p, vec3 moved, float mass)
{
    ivec3 step = fixed_step(moved);
    vec3 arm = fixed_metres(p) - body_iterates[body].position.xyz;
    if (all(equal(step, ivec3(0)))) return;
    p += step;
    uint touched = body * BODY_SUM_WORDS + BODY_SUM_TOUCHED;
    if ((body_sums[touched] & BODY_STIRRED) == 0u) atomicOr(body_sums[touched], BODY_STIRRED);
    impulse_add(body, arm, -mass * (vec3(step) * params.origin.w));
}

// Where the bodies leave the particle that has this place in the queue; for meet_walls.comp.
void meet_end(uint place, ivec3 p)
{
    uint i = met[place].x;
    ivec4 before = iterates[i];
    if (p == before.xyz) met[place].x = i | SIM_MET_KEPT;
    else iterates[i] = ivec4(p, before.w);
}
#endif
