// How many ids each word of bits has: row.constant words.
#version 460
#include "bindings/sim.glsl"

READ_OWN(id_bits);
WRITE_OWN(id_ranks);

void main()
{
    uint word = row_index();
    if (word < row.constant) id_ranks[word] = uint(bitCount(id_bits[word]));
}
