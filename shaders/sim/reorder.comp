// Moves every particle to its index in the sorted order.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
GATHER(positions);
GATHER(predictions);
OWN_WRITE(iterates);
OWN_WRITE(starts);
OWN_READ(sources);
GATHER(ids);
OWN_WRITE(sorted_ids);
GATHER(clearances);
OWN_WRITE(sorted_clearances);

void main()
{
    uint i = row_index();
    if (i >= state.live) return;
    uint from = sources[i];
    iterates[i] = predictions[from];
    starts[i] = positions[from];
    sorted_ids[i] = ids[from];
    if (HAS_SOLIDS) sorted_clearances[i] = clearances[from];
}
