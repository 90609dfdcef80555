// The particles that bodies may act on, and which bodies, in their order. Needs met and what body_walk.glsl
// needs.
#include "body_walk.glsl"

// Bodies in two words, 16 bits each.
uint met_body(uvec2 bodies, uint k)
{
    return (k < 2u ? bodies.x : bodies.y) >> 16u * (k & 1u) & SIM_MET_NONE;
}

bool met_is_listed(uvec2 bodies) { return met_body(bodies, 0u) != SIM_MET_MANY; }

// Where what body k does to the particle at a place of the queue is kept.
uint met_kept_at(uint place, uint k)
{
    return params.particle_capacity + k * params.met_capacity + place;
}

// A walk through the bodies that may act at p: those that are listed, else as body_walk has it.
struct met_walk {
    uvec2 bodies;
    uint next;
    body_walk all;
};

met_walk met_begin(uvec2 bodies, vec3 p) { return met_walk(bodies, 0u, walk_begin(p)); }

uint met_next_listed(inout met_walk walk)
{
    uint body = walk.next < SIM_MET_BODIES ? met_body(walk.bodies, walk.next) : SIM_MET_NONE;
    walk.next++;
    return body == SIM_MET_NONE ? BODY_NONE : body;
}

// The next one; of those that are not listed, the next within `reach` of p.
uint met_next(inout met_walk walk, vec3 p, float reach)
{
    if (met_is_listed(walk.bodies)) return met_next_listed(walk);
    return walk_next_near(walk.all, p, reach);
}
