// The rank of a particle among the ids is the number of bits before its own.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
GATHER(ids);
GATHER(id_bits);
GATHER(id_ranks);
SCATTER(id_order);

void main()
{
    uint i = row_index();
    if (i >= status.count) return;
    uint id = ids[i], word = id / 32u, before = (1u << (id % 32u)) - 1u;
    id_order[id_ranks[word] + uint(bitCount(id_bits[word] & before))] = i;
}
