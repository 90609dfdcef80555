// As meet.comp, for particles that have more bodies near than they name: the bodies are sought anew.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(multipliers);
UPDATE_ANY(iterates);
READ_ANY(starts);
UPDATE_ANY(met);
READ_ANY(queues);
READ_SOLIDS();
READ_ANY(body_cells);
READ_ANY(body_spheres);
READ_ANY(body_iterates);
ATOMIC(body_sums);
WORK(30, 0, 0);
#include "body/query.glsl"
#include "body/contact.glsl"

// These are read anew at each step of the walk: held over it they would cost a GPU registers.
uint place() { return met[row_index()].w; }
uint particle() { return met[place()].x; }
ivec3 constrained_at() { return multipliers[particle()].xyz; }
float mass() { return params.fluids[uint(clamp(starts[particle()].w, 0, 15))].mass; }

// What a gradient is multiplied by.
float strength()
{
    uint i = particle();
    return params.relaxation * intBitsToFloat(iterates[i].w) * intBitsToFloat(multipliers[i].w);
}

// Where a body is nearer than the reach: what it moves the particle by, in the correction, where the
// constraint was, or out of itself.
vec3 moved_by(uint body, ivec3 p, bool corrects)
{
    wall_surface surface;
    uint item = params.solid_count + body;
    float reach = corrects ? params.h : params.wall_gap;
    if (!wall_find_surface(item, fixed_metres(corrects ? constrained_at() : p), reach, surface))
        return vec3(0.0);
    wall_sum own = wall_none();
    if (corrects) wall_add_in(own, surface.distance, surface.normal, vec3(0.0), false);
    return corrects ? meet_push(own.gradient, strength())
                    : meet_way_out(surface, item, p, starts[particle()].xyz);
}

// All bodies push, then all move the particle out of themselves. It is one loop, because CPU drivers carry
// out all that a loop holds.
void meet_all(inout ivec3 p)
{
    bool corrects = true;
    body_walk walk = walk_begin(fixed_metres(constrained_at()));
    uint body = walk_next_near(walk, fixed_metres(constrained_at()), params.h);
    while (body != BODY_NONE || corrects) {
        if (body == BODY_NONE) {
            corrects = false;
            walk = walk_begin(fixed_metres(p));
        } else {
            meet_give(body, p, moved_by(body, p, corrects), mass());
        }
        // The spheres are those of the last marking. Bodies may have moved since then, so the reach is h.
        body = walk_next_near(walk, fixed_metres(corrects ? constrained_at() : p), params.h);
    }
}

void main()
{
    if (row_index() >= queues[BODY_QUEUE_CROWDED].count) return;
    ivec3 p = iterates[particle()].xyz;
    if (constrained_at().x != SIM_LOST && p.x != SIM_LOST) meet_all(p);
    meet_end(place(), p);
}
