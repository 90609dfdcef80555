// Broad phase of particles against bodies; one invocation per particle. A particle within the influence
// radius of a body's bounding sphere is appended to a queue, with the indices of up to SIM_NEAR_BODIES_MAX
// bodies, for body_boundary_density.comp and body_contact.comp. A particle with more near bodies is also
// appended to a second queue, for body_contact_list_overflow.comp.
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

// Returns the bodies near p in the format of body/near_bodies.glsl. A single loop runs over all bodies of the
// cell, because CPU drivers execute everything inside a loop, a nested loop included, for each of its
// iterations.
uvec2 find_near_bodies(vec3 p)
{
    uvec2 bodies = uvec2(0xffffffffu);
    uint cell = broad_phase_cell_index(broad_phase_cell_of(p)), groups = broad_phase_cells[cell];
    uint group = 0u, bits = 0u, count = 0u;
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
    near_bodies[place].x = i; // written word by word: w may belong to another invocation
    near_bodies[place].y = bodies.x;
    near_bodies[place].z = bodies.y;
    if (bodies.x == SIM_NEAR_BODIES_OVERFLOW) near_bodies[queue_push(BODY_QUEUE_OVERFLOW)].w = place;
}
