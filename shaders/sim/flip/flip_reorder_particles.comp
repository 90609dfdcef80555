// Moves every particle to its index in the sorted order; one invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(sort_sources);
READ_ANY(positions);
WRITE_OWN(sorted_positions);
READ_ANY(velocities);
WRITE_OWN(sorted_velocities);
READ_ANY(ids);
WRITE_OWN(sorted_ids);
WRITE_OWN(neighbour_headers);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    uint from = sort_sources[i];
    sorted_positions[i] = positions[from];
    sorted_velocities[i] = velocities[from];
    sorted_ids[i] = ids[from];
    neighbour_headers[i] = 0u; // FLIP has no neighbour lists
}
