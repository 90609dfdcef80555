// Lists the items that a body may touch.
// Buffers: params, bodies, candidates.
#ifndef BODY_NEAR_ITEMS_GLSL
#define BODY_NEAR_ITEMS_GLSL
#include "body/collision_filter.glsl"

// The items of the body's list, or all items if the list is too short.
struct candidate_list {
    uint first, count;
    bool listed;
};

candidate_list candidates_of(uint body)
{
    uint at = body * BODY_CANDIDATE_WORDS, count = candidates[at];
    bool listed = count <= BODY_MAX_CANDIDATES;
    return candidate_list(at + 1u, listed ? count : params.sink_first, listed);
}

uint candidate_at(candidate_list list, uint k) { return list.listed ? candidates[list.first + k] : k; }
#endif
