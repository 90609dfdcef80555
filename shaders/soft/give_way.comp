// One invocation a vertex: moves it by what others push it.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(soft_moves);
READ_OWN(soft_shoves);

void main()
{
    uint i = row_index();
    RETURN_IF_SOLVED(i >= row.constant);
    vec3 shove = soft_shoves[i].xyz;
    if (any(not_finite(shove))) return;
    soft_moves[i].xyz += soft_moves[i].w * shove;
}
