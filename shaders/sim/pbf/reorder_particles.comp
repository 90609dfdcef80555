// Moves every particle to its index in the sorted order; one invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_ANY(positions);
READ_ANY(predicted_positions);
WRITE_OWN(iterated_positions);
WRITE_OWN(sorted_positions);
READ_OWN(sort_sources);
READ_ANY(ids);
WRITE_OWN(sorted_ids);
READ_ANY(clearances);
WRITE_OWN(sorted_clearances);

void main()
{
    uint i = invocation_index();
    if (i >= state.held) return;
    uint from = sort_sources[i];
    iterated_positions[i] = predicted_positions[from];
    sorted_positions[i] = positions[from];
    sorted_ids[i] = ids[from];
    if (HAS_SOLIDS) sorted_clearances[i] = clearances[from];
}
