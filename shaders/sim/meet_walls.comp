// Particles that bodies have moved leave the walls behind these bodies. A shader of its own, because both
// walks together would cost a GPU half of its waves, and bind more buffers than a shader may.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
UPDATE_ANY(iterates);
READ_ANY(starts);
UPDATE_ANY(met);
READ_ANY(queues);
UPDATE_ANY(measured);
ATOMIC(solid_sums);
READ_SOLIDS();
WORK(10, 0, 0);
#include "boundary/force_gauge.glsl"

void main()
{
    if (row_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uint i = met[row_index()].x;
    met[row_index()].x = i & ~SIM_MET_KEPT;
    if ((i & SIM_MET_KEPT) != 0u) return;
    ivec4 own = iterates[i], start = starts[i];
    measure_begin(i, start.w);
    iterates[i] = ivec4(wall_project(own.xyz, start.xyz), own.w);
}
