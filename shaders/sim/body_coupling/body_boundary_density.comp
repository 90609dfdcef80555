// Computes the density and the constraint gradient that nearby bodies add to a particle, in the closed form
// of walls; one invocation per queued particle. Stores each listed body's gradient and distance for
// body_contact.comp.
#version 460
#define ITEM_VECTORS
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(iterated_positions);
UPDATE_ANY(near_bodies);
READ_ANY(queues);
READ_TEXELS(item_vectors);
READ_TEXELS(node_vectors);
READ_ANY(solid_volumes);
READ_TEXELS(pose_vectors);
READ_ANY(broad_phase_cells);
READ_ANY(body_spheres);
WRITE_ANY(body_boundary_sums);
#include "boundary/boundary.glsl"
#include "body/query.glsl"
#include "body/near_bodies.glsl"

// Adds a body to the sum. Returns the gradient (xyz) of that body alone and its distance (w), at most h.
vec4 add_body(inout boundary_sum sum, uint body, vec3 p)
{
    item_surface surface;
    boundary_sum own = boundary_none();
    if (!item_find_surface(params.solid_count + body, p, params.h, surface)) return vec4(vec3(0.0), params.h);
    boundary_add_plane_in(own, surface.distance, surface.normal, vec3(0.0), false);
    if (params.boundary_density != 0u) boundary_combine(sum, vec4(own.gradient, own.density));
    return vec4(own.gradient, min(surface.distance, params.h));
}

// Returns the next body of the walk: the next listed one, or, if the particle has no list, the next within h
// of p.
uint next_body(inout body_iterator walk, uvec2 bodies, vec3 p)
{
    if (!near_bodies_are_listed(bodies)) return body_iterator_next_near(walk, p, params.h);
    uint body = near_body_at(bodies, walk.next++);
    return body == SIM_NEAR_BODIES_NONE ? BODY_NONE : body;
}

void main()
{
    if (invocation_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uvec4 head = near_bodies[invocation_index()];
    vec3 p = fixed_to_metres(iterated_positions[head.x].xyz);
    boundary_sum sum = boundary_none();
    body_iterator walk = body_iterator_begin(p);
    uint body = next_body(walk, head.yz, p);
    while (body != BODY_NONE) {
        vec4 own = add_body(sum, body, p);
        if (near_bodies_are_listed(head.yz))
            near_bodies[near_body_result_index(walk.next - 1u)] = floatBitsToUint(own);
        body = next_body(walk, head.yz, p);
    }
    body_boundary_sums[near_bodies[invocation_index()].x] = vec4(sum.gradient, sum.density);
}
