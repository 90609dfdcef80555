// Counts the ids in each word of bits; one invocation per word, pass.constant words.
#version 460
#include "bindings/sim.glsl"

READ_OWN(id_bits);
WRITE_OWN(id_ranks);

void main()
{
    uint word = invocation_index();
    if (word < pass.constant) id_ranks[word] = uint(bitCount(id_bits[word]));
}
