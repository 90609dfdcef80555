// The particles that bodies may act on, as their spheres say, line up for surround.comp and meet.comp, with
// the bodies that are so near; once more for meet_many.comp where these are many.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(iterates);
UPDATE_OWN(headers);
READ_ANY(body_cells);
READ_ANY(body_spheres);
WRITE_ANY(met);
ATOMIC(queues);
#include "body/query.glsl"
#include "body/near_bodies.glsl"
#include "reduce/dispatch_queue.glsl"

// The bodies near p as body/near_bodies.glsl has them. One loop goes from body to body of the cell, for CPU
// drivers carry out all that a loop holds, a second loop too, for each of its turns.
uvec2 find_near(vec3 p)
{
    uvec2 bodies = uvec2(0xffffffffu);
    uint cell = body_cell_at(body_cell_of(p)), groups = body_cells[cell], group = 0u, bits = 0u;
    uint count = 0u;
    float reach = body_acts_within();
    while ((groups | bits) != 0u) {
        if (bits == 0u) {
            group = uint(findLSB(groups));
            groups &= groups - 1u;
            bits = body_cells[cell + 1u + group];
        }
        uint body = BODY_GROUP * group + uint(findLSB(bits));
        bits &= bits - 1u;
        if (walk_is_far(body, p, reach)) continue;
        uint change = (body ^ SIM_MET_NONE) << 16u * (count & 1u);
        if (count < 2u) bodies.x ^= change;
        else if (count < SIM_MET_BODIES) bodies.y ^= change;
        count++;
    }
    if (count > SIM_MET_BODIES) bodies.x = SIM_MET_MANY;
    return bodies;
}

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || (TOLERANT && status.solved != 0u)) return;
    uint header = headers[i];
    uvec2 bodies = find_near(fixed_metres(iterates[i].xyz));
    bool near = met_body(bodies, 0u) != SIM_MET_NONE;
    headers[i] = near ? header | SIM_NEAR_BODY : header & ~SIM_NEAR_BODY;
    if (!near) return;
    uint place = queue_join(BODY_QUEUE_PARTICLES);
    if (place >= params.met_capacity) bodies.x = SIM_MET_MANY;
    met[place].x = i; // each alone: the w may be another invocation's
    met[place].y = bodies.x;
    met[place].z = bodies.y;
    if (bodies.x == SIM_MET_MANY) met[queue_join(BODY_QUEUE_CROWDED)].w = place;
}
