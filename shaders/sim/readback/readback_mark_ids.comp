// Sets the bit of each particle's id; one invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(ids);
ATOMIC(id_bits);

void main()
{
    uint i = invocation_index();
    if (i >= status.count) return;
    uint id = ids[i];
    atomicOr(id_bits[id / 32u], 1u << (id % 32u));
}
