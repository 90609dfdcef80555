// Reads the list of vertices near a vertex.
// Buffers: contact_candidates.
#ifndef DEFORMABLE_NEAR_VERTICES_GLSL
#define DEFORMABLE_NEAR_VERTICES_GLSL

uint candidate_count(uint i) { return min(contact_candidates[i * DEFORMABLE_CANDIDATE_WORDS], DEFORMABLE_MAX_CANDIDATES); }

// Is vertex i among those that vertex k lists? A list that is too short leaves some out: then the other
// leaves out this one.
bool lists_candidate(uint k, uint i)
{
    if (contact_candidates[k * DEFORMABLE_CANDIDATE_WORDS] <= DEFORMABLE_MAX_CANDIDATES) return true;
    for (uint n = 1u; n <= DEFORMABLE_MAX_CANDIDATES; n++)
        if (contact_candidates[k * DEFORMABLE_CANDIDATE_WORDS + n] == i) return true;
    return false;
}
#endif
