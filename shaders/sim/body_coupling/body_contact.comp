// Solves the contacts between fluid particles and bodies; one invocation per queued particle. Applies the
// part of the position correction that is due to bodies, in the closed form of walls, then moves the particle
// out of the bodies; boundary_project_after_bodies.comp moves it out of the walls beyond them. The bodies
// receive exactly the opposite impulses; shaders/body/apply_impulses.comp moves them before the next
// iteration. body_contact_list_overflow.comp handles particles with more near bodies than fit their list.
#version 460
#define ITEM_VECTORS
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(multipliers);
UPDATE_ANY(iterated_positions);
READ_ANY(sorted_positions);
UPDATE_ANY(near_bodies);
READ_ANY(queues);
READ_TEXELS(item_vectors);
READ_TEXELS(node_vectors);
READ_ANY(solid_volumes);
READ_TEXELS(pose_vectors);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
WORK_ESTIMATE(30, 0, 0);
#include "body/near_bodies.glsl"
#include "body/contact.glsl"

// Applies the correction of every listed body, from the gradients that body_boundary_density.comp stored.
void apply_body_pushes(uvec2 bodies, inout ivec3 p, float strength, float mass)
{
    uint k = 0u, body = near_body_at(bodies, 0u);
    while (body != SIM_NEAR_BODIES_NONE) {
        vec4 own = uintBitsToFloat(near_bodies[near_body_result_index(k)]);
        apply_particle_body_contact(body, p, body_constraint_correction(own.xyz, strength), mass);
        body = near_body_at(bodies, ++k);
    }
}

// Returns the next body, from the k-th on, that was closer than `within` to the position of the constraint.
// It is a loop of its own because CPU drivers execute everything inside a loop for every body that it skips.
uint next_touching_body(uvec2 bodies, inout uint k, float within)
{
    uint body = near_body_at(bodies, k);
    while (body != SIM_NEAR_BODIES_NONE &&
           uintBitsToFloat(near_bodies[near_body_result_index(k)].w) >= within)
        body = near_body_at(bodies, ++k);
    k++;
    return body;
}

// Moves the particle out of the bodies. `at` is the position of the constraint. Tests only bodies closer to
// `at` than the distance that the particle has moved since.
void move_out_of_bodies(uvec2 bodies, ivec3 at, inout ivec3 p, float mass)
{
    float within = params.boundary_gap + SIM_SDF_MAX_SLOPE * length(fixed_offset(p, at)) +
                   0.01 * params.spacing;
    uint k = 0u, body = next_touching_body(bodies, k, within);
    while (body != SIM_NEAR_BODIES_NONE) {
        item_surface surface;
        uint item = params.solid_count + body;
        if (item_find_surface(item, fixed_to_metres(p), params.boundary_gap, surface)) {
            vec3 moved = body_contact_correction(
                // read again, to save registers
                surface, item, p, sorted_positions[near_bodies[invocation_index()].x].xyz);
            within += SIM_SDF_MAX_SLOPE * length(moved);
            apply_particle_body_contact(body, p, moved, mass);
        }
        body = next_touching_body(bodies, k, within);
    }
}

void main()
{
    if (invocation_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uvec4 head = near_bodies[invocation_index()];
    if (!near_bodies_are_listed(head.yz)) return;
    uint i = head.x;
    ivec4 own = multipliers[i];
    ivec3 p = iterated_positions[i].xyz;
    if (own.x != SIM_INVALID_POSITION && p.x != SIM_INVALID_POSITION) {
        float strength = params.relaxation * intBitsToFloat(iterated_positions[i].w) * intBitsToFloat(own.w);
        float mass = params.fluids[uint(clamp(sorted_positions[i].w, 0, 15))].mass;
        apply_body_pushes(head.yz, p, strength, mass);
        move_out_of_bodies(head.yz, own.xyz, p, mass);
    }
    store_contact_position(invocation_index(), p);
}
