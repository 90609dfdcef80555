// Copies the received positions of the neighbours' particles to their ghosts; one invocation per ghost.
// pass.constant is the room for records from one neighbour.
#version 460
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(status);
BLOCK(parts);
WRITE_ANY(iterated_positions);
READ_ANY(halo_received);
#include "particles/halo.glsl"

void main()
{
    uint i = state.live + invocation_index(), room = pass.constant * RANK_RECORD_VECTORS;
    RETURN_IF_HALTED(i >= state.held);
    bool right;
    uint k = index_of_ghost(i, right);
    if (k < room) iterated_positions[i] = ivec4(halo_received[(right ? room : 0u) + k]);
}
