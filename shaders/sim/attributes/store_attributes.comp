// Stores the sorted attributes in the state, where none diffuses; one invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(sorted_attributes);
WRITE_OWN(attributes);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    uint first = ATTRIBUTE_VECTORS * i;
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++) attributes[first + k] = sorted_attributes[first + k];
}
