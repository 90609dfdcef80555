// Reads the list of vertices near a vertex.
// Buffers: soft_nears.
#ifndef DEFORMABLE_NEAR_VERTICES_GLSL
#define DEFORMABLE_NEAR_VERTICES_GLSL

uint near_count(uint i) { return min(soft_nears[i * SOFT_NEAR_WORDS], SOFT_NEAR_MOST); }

// Is vertex i among those that vertex k lists? A list that is too short leaves some out: then the other
// leaves out this one.
bool near_lists(uint k, uint i)
{
    if (soft_nears[k * SOFT_NEAR_WORDS] <= SOFT_NEAR_MOST) return true;
    for (uint n = 1u; n <= SOFT_NEAR_MOST; n++)
        if (soft_nears[k * SOFT_NEAR_WORDS + n] == i) return true;
    return false;
}
#endif
