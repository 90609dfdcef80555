// Counts the vertices that each vertex touches; one invocation per vertex.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(deformables);
READ_ANY(vertex_owners);
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_ANY(rest_positions);
READ_ANY(contact_candidates);
WRITE_OWN(vertex_contact_counts);
#include "deformable/near_vertices.glsl"
#include "deformable/vertex_contact.glsl"

void main()
{
    uint i = invocation_index(), count = 0u;
    RETURN_IF_SOLVED(i >= pass.constant);
    uint end = candidate_count(i);
    for (uint n = 1u; n <= end; n++) {
        uint k = contact_candidates[i * DEFORMABLE_CANDIDATE_WORDS + n];
        if (lists_candidate(k, i) && find_pair_contact(make_vertex_pair(i, k), i < k).depth > 0.0) count++;
    }
    vertex_contact_counts[i] = count;
}
