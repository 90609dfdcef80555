// One invocation a vertex: Jacobi. Adds up what its bonds push, in their order.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(soft_moves);
READ_ANY(soft_bonds);
READ_ANY(soft_pushes);
READ_ANY(soft_firsts);
READ_ANY(soft_entries);

void main()
{
    uint i = row_index();
    RETURN_IF_SOLVED(i >= row.constant);
    uint end = soft_firsts[i + 1u];
    vec3 sum = vec3(0.0);
    for (uint e = soft_firsts[i]; e < end; e++) {
        uint bond = soft_entries[e] / SOFT_CORNERS;
        sum += soft_bonds[bond].shares[soft_entries[e] % SOFT_CORNERS] * soft_pushes[bond].xyz;
    }
    soft_moves[i].xyz += soft_moves[i].w * sum;
}
