// The particles that bodies may act on, as their spheres say, line up for surround.comp and meet.comp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_READ(iterates);
OWN_UPDATE(headers);
GATHER(body_cells);
GATHER(body_spheres);
SCATTER(met);
ATOMIC(queues);
#include "body_walk.glsl"
#include "queue.glsl"

bool is_near(vec3 p)
{
    body_walk walk = walk_begin(p);
    return walk_next_near(walk, p, body_acts_within()) != BODY_NONE;
}

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || (TOLERANT && status.solved != 0u)) return;
    uint header = headers[i];
    bool near = is_near(fixed_metres(iterates[i].xyz));
    headers[i] = near ? header | SIM_NEAR_BODY : header & ~SIM_NEAR_BODY;
    if (near) met[queue_join(BODY_QUEUE_PARTICLES)] = i;
}
