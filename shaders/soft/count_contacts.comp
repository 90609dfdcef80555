// One invocation a vertex: how many vertices it meets.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(softs);
READ_ANY(soft_owners);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_rests);
READ_ANY(soft_nears);
WRITE_OWN(soft_bears);
#include "deformable/near_vertices.glsl"
#include "deformable/vertex_contact.glsl"

void main()
{
    uint i = row_index(), count = 0u;
    RETURN_IF_SOLVED(i >= row.constant);
    uint end = near_count(i);
    for (uint n = 1u; n <= end; n++) {
        uint k = soft_nears[i * SOFT_NEAR_WORDS + n];
        if (near_lists(k, i) && pair_meet(pair_of(i, k), i < k).depth > 0.0) count++;
    }
    soft_bears[i] = count;
}
