// Lists the vertices whose path through the substep comes close enough to the vertex's own path for a contact
// in this iteration; one invocation per vertex. The list is in ascending order, regardless of the order in
// the buckets.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(deformables);
READ_ANY(vertex_owners);
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_ANY(rest_positions);
READ_ANY(vertex_hash_heads);
READ_ANY(vertex_hash_links);
UPDATE_ANY(contact_candidates);
BLOCK(vertex_hash);
#include "deformable/vertex_hash.glsl"
#include "deformable/vertex_contact.glsl"

// Inserts vertex k into the sorted list of `count` vertices. If the list is full, the highest index is
// dropped.
void insert_sorted(uint at, uint count, uint k)
{
    uint place = at + 1u + min(count, DEFORMABLE_MAX_CANDIDATES - 1u);
    if (count >= DEFORMABLE_MAX_CANDIDATES && contact_candidates[place] < k) return;
    while (place > at + 1u && contact_candidates[place - 1u] > k) {
        contact_candidates[place] = contact_candidates[place - 1u];
        place--;
    }
    contact_candidates[place] = k;
}

void main()
{
    uint i = invocation_index(), at = i * DEFORMABLE_CANDIDATE_WORDS, count = 0u;
    RETURN_IF_SOLVED(i >= pass.constant);
    ivec3 own = vertex_hash_links[i].xyz;
    for (uint n = 0u; n < 27u; n++) {
        ivec3 cell = own + ivec3(n % 3u, n / 3u % 3u, n / 9u) - 1;
        uint k = vertex_hash_heads[vertex_hash_bucket(cell)];
        while (k != DEFORMABLE_NONE) {
            ivec4 bin = vertex_hash_links[k];
            bool held = deformable_displacements[i].w == 0.0 && deformable_displacements[k].w == 0.0;
            if (bin.xyz == cell && k != i && !held) {
                vertex_pair pair = make_vertex_pair(i, k);
                if (pair.thickness > 0.0 &&
                    pair_closest_distance(pair) < DEFORMABLE_CANDIDATE_MARGIN * pair.thickness)
                    insert_sorted(at, count++, k);
            }
            k = uint(bin.w);
        }
    }
    contact_candidates[at] = count;
}
