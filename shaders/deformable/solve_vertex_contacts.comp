// Computes the impulse on each vertex by its contacts with other vertices, with Coulomb friction against the
// slip of the substep; one invocation per vertex. All contacts are solved in parallel, so each divides a
// vertex's mass by its number of contacts (mass splitting, Tonge and others 2012). Both vertices of a pair
// compute the same impulse.
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
READ_ANY(vertex_contact_counts);
WRITE_OWN(vertex_contact_impulses);
#include "deformable/near_vertices.glsl"
#include "deformable/vertex_contact.glsl"

// kg m
vec3 pair_impulse(uint i, uint k)
{
    vertex_pair pair = make_vertex_pair(i, k);
    pair_contact met = find_pair_contact(pair, i < k);
    if (!(met.depth > 0.0)) return vec3(0.0);
    precise float one = float(vertex_contact_counts[i]) * deformable_displacements[i].w;
    precise float two = float(vertex_contact_counts[k]) * deformable_displacements[k].w;
    precise float weight = one + two;
    float push = met.depth / weight;
    vec3 slip = deformable_displacements[i].xyz - deformable_displacements[k].xyz;
    vec3 along = slip - met.normal * dot(slip, met.normal);
    float size = length(along);
    float rubs = max(deformables[vertex_owners[i]].friction, deformables[vertex_owners[k]].friction);
    if (!(size > 0.0)) return met.normal * push;
    return met.normal * push - along / size * min(size / weight, rubs * push);
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_SOLVED(i >= pass.constant);
    vec3 sum = vec3(0.0);
    uint end = candidate_count(i);
    for (uint n = 1u; n <= end; n++) {
        uint k = contact_candidates[i * DEFORMABLE_CANDIDATE_WORDS + n];
        if (lists_candidate(k, i)) sum += pair_impulse(i, k);
    }
    vertex_contact_impulses[i] = vec4(sum, 0.0);
}
