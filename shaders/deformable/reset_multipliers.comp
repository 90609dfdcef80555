// One invocation a bond: no multiplier is left of the substep before.
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
