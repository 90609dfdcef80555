// Fluid and bodies meet: the part of the correction that bodies push a particle with, in the closed form of
// walls, then the particle is moved out of them; meet_walls.comp moves it out of the walls behind them. The
// bodies get the opposite impulses, exactly; shaders/body/shift.comp moves them before the next iteration.
// Particles with more bodies near than there is room for are meet_many.comp's.
#version 460
#define ITEM_VECTORS
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(multipliers);
UPDATE_ANY(iterates);
READ_ANY(starts);
UPDATE_ANY(met);
READ_ANY(queues);
READ_TEXELS(item_vectors);
READ_TEXELS(node_vectors);
READ_ANY(solid_volumes);
READ_TEXELS(pose_vectors);
READ_ANY(body_iterates);
ATOMIC(body_sums);
WORK(30, 0, 0);
#include "body/near_bodies.glsl"
#include "body/contact.glsl"

// surround.comp has kept what the bodies add to the gradient.
void push(uvec2 bodies, inout ivec3 p, float strength, float mass)
{
    uint k = 0u, body = met_named(bodies, 0u);
    while (body != SIM_MET_NONE) {
        vec4 own = uintBitsToFloat(met[met_kept_at(k)]);
        meet_give(body, p, meet_push(own.xyz, strength), mass);
        body = met_named(bodies, ++k);
    }
}

// From body k on, the next that was nearer than `within` where the constraint was. A loop of its own: CPU
// drivers carry out all that a loop holds for every body that it passes.
uint next_close(uvec2 bodies, inout uint k, float within)
{
    uint body = met_named(bodies, k);
    while (body != SIM_MET_NONE && uintBitsToFloat(met[met_kept_at(k)].w) >= within)
        body = met_named(bodies, ++k);
    k++;
    return body;
}

// `at`: where the constraint was. Only bodies that were so near to it that the way from there may lead into
// them are asked.
void leave(uvec2 bodies, ivec3 at, inout ivec3 p, float mass)
{
    float within = params.wall_gap + SIM_SOLID_SLOPE * length(fixed_offset(p, at)) + 0.01 * params.spacing;
    uint k = 0u, body = next_close(bodies, k, within);
    while (body != SIM_MET_NONE) {
        wall_surface surface;
        uint item = params.solid_count + body;
        if (wall_find_surface(item, fixed_metres(p), params.wall_gap, surface)) {
            vec3 moved = meet_way_out(surface, item, p, starts[met[row_index()].x].xyz); // read anew
            within += SIM_SOLID_SLOPE * length(moved);
            meet_give(body, p, moved, mass);
        }
        body = next_close(bodies, k, within);
    }
}

void main()
{
    if (row_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uvec4 head = met[row_index()];
    if (!met_are_named(head.yz)) return;
    uint i = head.x;
    ivec4 own = multipliers[i];
    ivec3 p = iterates[i].xyz;
    if (own.x != SIM_LOST && p.x != SIM_LOST) {
        float strength = params.relaxation * intBitsToFloat(iterates[i].w) * intBitsToFloat(own.w);
        float mass = params.fluids[uint(clamp(starts[i].w, 0, 15))].mass;
        push(head.yz, p, strength, mass);
        leave(head.yz, own.xyz, p, mass);
    }
    meet_end(row_index(), p);
}
