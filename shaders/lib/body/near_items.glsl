// Lists the items that a body may touch.
// Buffers: params, bodies, near.
#ifndef BODY_NEAR_ITEMS_GLSL
#define BODY_NEAR_ITEMS_GLSL
#include "body/collision_filter.glsl"

// Those of the body's list; all, where the list is too short.
struct near_items {
    uint first, count;
    bool listed;
};

near_items near_items_of(uint body)
{
    uint at = body * BODY_NEAR_WORDS, count = near[at];
    bool listed = count <= BODY_NEAR;
    return near_items(at + 1u, listed ? count : params.sink_first, listed);
}

uint near_item(near_items list, uint k) { return list.listed ? near[list.first + k] : k; }
#endif
