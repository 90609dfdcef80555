// Clears the constraint multipliers at the start of a substep; one invocation per constraint.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(constraint_multipliers);

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    constraint_multipliers[i] = vec4(0.0);
}
