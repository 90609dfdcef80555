// What the bodies near a particle add to its density and to the gradient, in the closed form of walls. What
// each of them adds to the gradient, and how far it is, is kept for meet.comp.
#version 460
#define ITEM_VECTORS
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(iterates);
UPDATE_ANY(met);
READ_ANY(queues);
READ_TEXELS(item_vectors);
READ_TEXELS(node_vectors);
READ_ANY(solid_volumes);
READ_TEXELS(pose_vectors);
READ_ANY(body_cells);
READ_ANY(body_spheres);
WRITE_ANY(body_walls);
#include "boundary/boundary.glsl"
#include "body/query.glsl"
#include "body/near_bodies.glsl"

// Adds a body, and gives the gradient that it has alone and its distance, at most h.
vec4 add_body(inout wall_sum sum, uint body, vec3 p)
{
    wall_surface surface;
    wall_sum own = wall_none();
    if (!wall_find_surface(params.solid_count + body, p, params.h, surface)) return vec4(vec3(0.0), params.h);
    wall_add_in(own, surface.distance, surface.normal, vec3(0.0), false);
    if (params.wall_density != 0u) wall_join(sum, vec4(own.gradient, own.density));
    return vec4(own.gradient, min(surface.distance, params.h));
}

// The body behind those that were walked through; of those that are not named, the next within h of p.
uint next_body(inout body_walk walk, uvec2 bodies, vec3 p)
{
    if (!met_are_named(bodies)) return walk_next_near(walk, p, params.h);
    uint body = met_named(bodies, walk.next++);
    return body == SIM_MET_NONE ? BODY_NONE : body;
}

void main()
{
    if (row_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uvec4 head = met[row_index()];
    vec3 p = fixed_metres(iterates[head.x].xyz);
    wall_sum sum = wall_none();
    body_walk walk = walk_begin(p);
    uint body = next_body(walk, head.yz, p);
    while (body != BODY_NONE) {
        vec4 own = add_body(sum, body, p);
        if (met_are_named(head.yz)) met[met_kept_at(walk.next - 1u)] = floatBitsToUint(own);
        body = next_body(walk, head.yz, p);
    }
    body_walls[met[row_index()].x] = vec4(sum.gradient, sum.density);
}
