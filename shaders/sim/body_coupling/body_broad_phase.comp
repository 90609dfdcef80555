// The particles that bodies may act on, as their spheres say, line up for body_boundary_density.comp and body_contact.comp, with
// the bodies that are so near; once more for body_contact_overflow.comp where these are many.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(iterated_positions);
UPDATE_OWN(neighbour_headers);
READ_ANY(broad_phase_cells);
READ_ANY(body_spheres);
WRITE_ANY(near_bodies);
ATOMIC(queues);
#include "body/query.glsl"
#include "body/near_bodies.glsl"
#include "reduce/dispatch_queue.glsl"

// The bodies near p as body/near_bodies.glsl has them. One loop goes from body to body of the cell, for CPU
// drivers carry out all that a loop holds, a second loop too, for each of its turns.
uvec2 find_near_bodies(vec3 p)
{
    uvec2 bodies = uvec2(0xffffffffu);
    uint cell = broad_phase_cell_index(broad_phase_cell_of(p)), groups = broad_phase_cells[cell], group = 0u, bits = 0u;
    uint count = 0u;
    float reach = body_influence_radius();
    while ((groups | bits) != 0u) {
        if (bits == 0u) {
            group = uint(findLSB(groups));
            groups &= groups - 1u;
            bits = broad_phase_cells[cell + 1u + group];
        }
        uint body = BODY_BITS_PER_WORD * group + uint(findLSB(bits));
        bits &= bits - 1u;
        if (body_is_beyond(body, p, reach)) continue;
        uint change = (body ^ SIM_NEAR_BODIES_NONE) << 16u * (count & 1u);
        if (count < 2u) bodies.x ^= change;
        else if (count < SIM_NEAR_BODIES_MAX) bodies.y ^= change;
        count++;
    }
    if (count > SIM_NEAR_BODIES_MAX) bodies.x = SIM_NEAR_BODIES_OVERFLOW;
    return bodies;
}

void main()
{
    uint i = invocation_index();
    if (i >= state.live || state.flags != 0u || (HAS_TOLERANCE && status.iterations_done != 0u)) return;
    uint header = neighbour_headers[i];
    uvec2 bodies = find_near_bodies(fixed_to_metres(iterated_positions[i].xyz));
    bool near = near_body_in(bodies, 0u) != SIM_NEAR_BODIES_NONE;
    neighbour_headers[i] = near ? header | SIM_NEAR_BODY : header & ~SIM_NEAR_BODY;
    if (!near) return;
    uint place = queue_push(BODY_QUEUE_PARTICLES);
    if (place >= params.near_bodies_capacity) bodies.x = SIM_NEAR_BODIES_OVERFLOW;
    near_bodies[place].x = i; // each alone: the w may be another invocation's
    near_bodies[place].y = bodies.x;
    near_bodies[place].z = bodies.y;
    if (bodies.x == SIM_NEAR_BODIES_OVERFLOW) near_bodies[queue_push(BODY_QUEUE_OVERFLOW)].w = place;
}
