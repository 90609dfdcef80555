// Applies the contact of one body to a particle, and the opposite impulse to the body.
// Buffers: near_bodies, iterated_positions, body_iterated_states, body_impulse_sums, and those of
// boundary/boundary.glsl.
#ifndef BODY_CONTACT_GLSL
#define BODY_CONTACT_GLSL
#include "body/impulse.glsl"
#include "boundary/boundary.glsl"

// Returns the part of a particle's constraint correction that is due to a body with this gradient.
vec3 body_constraint_correction(vec3 gradient, float strength)
{
    vec3 moved = strength * gradient;
    float size = length(moved);
    return size > params.max_correction ? moved * (params.max_correction / size) : moved;
}

// Returns the displacement that moves the particle out of the body, with friction. `start` is the particle's
// position at the substep's start.
vec3 body_contact_correction(item_surface surface, uint item, ivec3 p, ivec3 start)
{
    float depth = params.boundary_gap - surface.distance;
    if (depth <= 0.0) return vec3(0.0);
    vec3 slip = fixed_offset(p, start) - (fixed_to_metres(p) - surface.point_at_start);
    return surface.normal * depth + boundary_friction(slip, surface.normal, depth, item_friction(item));
}

// Moves the particle and applies the opposite impulse to the body. `mass`: of the particle, kg.
void apply_particle_body_contact(uint body, inout ivec3 p, vec3 moved, float mass)
{
    ivec3 step = fixed_from_offset(moved);
    vec3 arm = fixed_to_metres(p) - body_iterated_states[body].position.xyz;
    if (all(equal(step, ivec3(0)))) return;
    p += step;
    uint touched = body * BODY_IMPULSE_WORDS + BODY_IMPULSE_FLAGS;
    if ((body_impulse_sums[touched] & BODY_WOKEN) == 0u) atomicOr(body_impulse_sums[touched], BODY_WOKEN);
    add_body_impulse(body, arm, -mass * (vec3(step) * params.origin.w));
}

// Stores the particle's position after contact with bodies; `place` is its place in the queue. Read by
// boundary_project_after_bodies.comp.
void store_contact_position(uint place, ivec3 p)
{
    uint i = near_bodies[place].x;
    ivec4 before = iterated_positions[i];
    if (p == before.xyz) near_bodies[place].x = i | SIM_NEAR_BODIES_UNMOVED;
    else iterated_positions[i] = ivec4(p, before.w);
}
#endif
