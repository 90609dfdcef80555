// Moves the attributes of every particle to its index in the sorted order; one invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(sort_sources);
READ_ANY(attributes);
WRITE_OWN(sorted_attributes);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    uint from = ATTRIBUTE_VECTORS * sort_sources[i];
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        sorted_attributes[ATTRIBUTE_VECTORS * i + k] = attributes[from + k];
}
