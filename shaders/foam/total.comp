// One invocation: how much whitewater there will be, and the dispatch size over the births. Where there is
// no room for all of it, `count` says how much is needed, and the rows behind write nothing.
#version 460
#define WORKGROUP 1
#include "bindings/whitewater.glsl"

BLOCK(state);
BLOCK(params);
READ_ANY(births);
READ_ANY(kept);
REDUCTION(census);

void main()
{
    if (row_index() != 0u) return;
    census.births = params.point_count == 0u ? 0u : births[state.live];
    census.survivors = kept[params.particle_count];
    census.count = census.survivors + census.births;
    uint groups = census.count > params.capacity ? 0u : (census.births + GROUP - 1u) / GROUP;
    uvec2 size = grid_dispatch(groups);
    census.arguments[0] = size.x;
    census.arguments[1] = size.y;
}
