// Copies the iterated positions of the own particles near a cut into the messages to the neighbours; one
// invocation per own particle. pass.constant is the room for records to one neighbour.
#version 460
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(status);
BLOCK(parts);
READ_OWN(iterated_positions);
WRITE_ANY(halo_sent);
#include "particles/halo.glsl"

void main()
{
    uint i = invocation_index(), room = pass.constant * RANK_RECORD_VECTORS;
    RETURN_IF_HALTED(i >= state.live);
    uint left = index_to_left(i), right = index_to_right(i);
    if (left < room) halo_sent[left] = uvec4(iterated_positions[i]);
    if (right < room) halo_sent[room + right] = uvec4(iterated_positions[i]);
}
