// Copies the iterated positions of the own particles near a cut into the messages to the neighbours; one
// invocation per particle of the edges. pass.constant is the room for records to one neighbour.
#version 460
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(status);
BLOCK(parts);
READ_ANY(iterated_positions);
WRITE_ANY(halo_sent);
#include "particles/halo.glsl"

void main()
{
    uint k = invocation_index(), room = pass.constant * RANK_RECORD_VECTORS;
    uvec2 counts = edge_counts();
    RETURN_IF_HALTED(k >= counts.x + counts.y);
    bool right = k >= counts.x;
    uint at = right ? k - counts.x : k;
    if (at < room) halo_sent[(right ? room : 0u) + at] = uvec4(iterated_positions[edge_particle(at, right)]);
}
