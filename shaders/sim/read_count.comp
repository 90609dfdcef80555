// How many ids each word of bits has: row.constant words.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

OWN_READ(id_bits);
OWN_WRITE(id_ranks);

void main()
{
    uint word = row_index();
    if (word < row.constant) id_ranks[word] = uint(bitCount(id_bits[word]));
}
