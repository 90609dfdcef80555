// Moves the particles that bodies have displaced out of the walls and solids on the far side of these bodies;
// one invocation per queued particle. It is separate from body_contact.comp because both together would halve
// the occupancy of a GPU and need more bindings than a shader may have.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
UPDATE_ANY(iterated_positions);
READ_ANY(sorted_positions);
UPDATE_ANY(near_bodies);
READ_ANY(queues);
UPDATE_ANY(gauge_accumulators);
ATOMIC(solid_impulse_sums);
READ_SOLIDS();
WORK_ESTIMATE(10, 0, 0);
#include "boundary/force_gauge.glsl"

void main()
{
    if (invocation_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uint i = near_bodies[invocation_index()].x;
    near_bodies[invocation_index()].x = i & ~SIM_NEAR_BODIES_UNMOVED;
    if ((i & SIM_NEAR_BODIES_UNMOVED) != 0u) return;
    ivec4 own = iterated_positions[i], start = sorted_positions[i];
    gauge_begin_particle(i, start.w);
    iterated_positions[i] = ivec4(boundary_project(own.xyz, start.xyz), own.w);
}
