// Moves every particle to its index in the sorted order.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
OWN_READ(sources);
GATHER(positions);
OWN_WRITE(starts);
GATHER(velocities);
OWN_WRITE(sorted_velocities);
GATHER(ids);
OWN_WRITE(sorted_ids);
OWN_WRITE(headers);

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    uint from = sources[i];
    starts[i] = positions[from];
    sorted_velocities[i] = velocities[from];
    sorted_ids[i] = ids[from];
    headers[i] = 0u; // no neighbours are listed
}
