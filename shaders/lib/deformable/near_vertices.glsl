// Reads the list of contact candidates of a vertex.
// Buffers: contact_candidates.
#ifndef DEFORMABLE_NEAR_VERTICES_GLSL
#define DEFORMABLE_NEAR_VERTICES_GLSL

uint candidate_count(uint i)
{
    return min(contact_candidates[i * DEFORMABLE_CANDIDATE_WORDS], DEFORMABLE_MAX_CANDIDATES);
}

// Returns whether vertex k considers vertex i. A list that is too short omits some vertices; both vertices of
// a pair then ignore each other.
bool lists_candidate(uint k, uint i)
{
    if (contact_candidates[k * DEFORMABLE_CANDIDATE_WORDS] <= DEFORMABLE_MAX_CANDIDATES) return true;
    for (uint n = 1u; n <= DEFORMABLE_MAX_CANDIDATES; n++)
        if (contact_candidates[k * DEFORMABLE_CANDIDATE_WORDS + n] == i) return true;
    return false;
}
#endif
