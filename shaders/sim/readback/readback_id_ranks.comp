// Writes each particle's index at its rank among the ids, which is the number of set bits before its own; one
// invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(ids);
READ_ANY(id_bits);
READ_ANY(id_ranks);
WRITE_ANY(id_order);

void main()
{
    uint i = invocation_index();
    if (i >= status.count) return;
    uint id = ids[i], word = id / 32u, before = (1u << (id % 32u)) - 1u;
    id_order[id_ranks[word] + uint(bitCount(id_bits[word] & before))] = i;
}
