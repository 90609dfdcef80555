// Moves every particle to its index in the sorted order.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(sources);
READ_ANY(positions);
WRITE_OWN(starts);
READ_ANY(velocities);
WRITE_OWN(sorted_velocities);
READ_ANY(ids);
WRITE_OWN(sorted_ids);
WRITE_OWN(headers);

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.live);
    uint from = sources[i];
    starts[i] = positions[from];
    sorted_velocities[i] = velocities[from];
    sorted_ids[i] = ids[from];
    headers[i] = 0u; // no neighbours are listed
}
