// Moves every particle to its index in the sorted order.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_ANY(positions);
READ_ANY(predictions);
WRITE_OWN(iterates);
WRITE_OWN(starts);
READ_OWN(sources);
READ_ANY(ids);
WRITE_OWN(sorted_ids);
READ_ANY(clearances);
WRITE_OWN(sorted_clearances);

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
