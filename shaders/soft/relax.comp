// One invocation a bond: no multiplier is left of the substep before.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(soft_lambdas);

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    soft_lambdas[i] = vec4(0.0);
}
