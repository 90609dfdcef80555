// Particles that bodies have moved leave the walls behind these bodies. A shader of its own, because both
// walks together would cost a GPU half of its waves, and bind more buffers than a shader may.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
SCATTER_UPDATE(iterates);
GATHER(starts);
SCATTER_UPDATE(met);
GATHER(queues);
SCATTER_UPDATE(measured);
ATOMIC(solid_sums);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
WORK(10, 0, 0);
#include "measure.glsl"
#include "measure_push.glsl"
#include "shape.glsl"
#include "wall.glsl"

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
