// Stores the sorted attributes in the state at the end of a substep, where none diffuses; one invocation per
// particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(positions);
READ_OWN(sorted_attributes);
WRITE_OWN(attributes);
#include "attributes/advance.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    uint first = ATTRIBUTE_VECTORS * i;
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        attributes[first + k] = attributes_advance(sorted_attributes[first + k], k, positions[i].xyz);
}
