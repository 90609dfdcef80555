// Solves the contacts of particles that have more near bodies than fit their list, as body_contact.comp does
// for the others; one invocation per particle of the overflow queue. Searches the broad-phase cells for the
// bodies again.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(multipliers);
UPDATE_ANY(iterated_positions);
READ_ANY(sorted_positions);
UPDATE_ANY(near_bodies);
READ_ANY(queues);
READ_SOLIDS();
READ_ANY(broad_phase_cells);
READ_ANY(body_spheres);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
WORK_ESTIMATE(30, 0, 0);
#include "body/query.glsl"
#include "body/contact.glsl"

// These values are read again at each step of the walk: kept across it they would take registers.
uint queue_index() { return near_bodies[invocation_index()].w; }
uint particle_index() { return near_bodies[queue_index()].x; }
ivec3 constraint_position() { return multipliers[particle_index()].xyz; }
float particle_mass() { return params.fluids[uint(clamp(sorted_positions[particle_index()].w, 0, 15))].mass; }

// Returns the factor of a gradient in the correction.
float correction_strength()
{
    uint i = particle_index();
    return params.relaxation * intBitsToFloat(iterated_positions[i].w) * intBitsToFloat(multipliers[i].w);
}

// Returns the displacement of the particle by a body that is closer than the reach: its part of the
// correction at the position of the constraint if `corrects`, else the displacement out of the body.
vec3 body_displacement(uint body, ivec3 p, bool corrects)
{
    item_surface surface;
    uint item = params.solid_count + body;
    float reach = corrects ? params.h : params.boundary_gap;
    if (!item_find_surface(item, fixed_to_metres(corrects ? constraint_position() : p), reach, surface))
        return vec3(0.0);
    boundary_sum own = boundary_none();
    if (corrects) boundary_add_plane_in(own, surface.distance, surface.normal, vec3(0.0), false);
    return corrects ? body_constraint_correction(own.gradient, correction_strength())
                    : body_contact_correction(surface, item, p, sorted_positions[particle_index()].xyz);
}

// Applies the corrections of all bodies, then moves the particle out of all of them. One loop does both,
// because CPU drivers execute everything inside a loop in each iteration.
void contact_all_bodies(inout ivec3 p)
{
    bool corrects = true;
    body_iterator walk = body_iterator_begin(fixed_to_metres(constraint_position()));
    uint body = body_iterator_next_near(walk, fixed_to_metres(constraint_position()), params.h);
    while (body != BODY_NONE || corrects) {
        if (body == BODY_NONE) {
            corrects = false;
            walk = body_iterator_begin(fixed_to_metres(p));
        } else {
            apply_particle_body_contact(body, p, body_displacement(body, p, corrects), particle_mass());
        }
        // The bounding spheres are those of the last marking, and bodies may have moved since, so the reach
        // is h.
        body = body_iterator_next_near(walk, fixed_to_metres(corrects ? constraint_position() : p), params.h);
    }
}

void main()
{
    if (invocation_index() >= queues[BODY_QUEUE_OVERFLOW].count) return;
    ivec3 p = iterated_positions[particle_index()].xyz;
    if (constraint_position().x != SIM_INVALID_POSITION && p.x != SIM_INVALID_POSITION) contact_all_bodies(p);
    store_contact_position(queue_index(), p);
}
