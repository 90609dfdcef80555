// One invocation: how many particles come before the dead, and the dispatch size over them.
#version 460
#extension GL_GOOGLE_include_directive : require
#define WORKGROUP 1
#include "grid_kernel.glsl"

BLOCK(grid);
REDUCE(state);
GATHER(segments);
GATHER(cell_starts);

void main()
{
    if (gl_GlobalInvocationID.x != 0u) return;
    uint live = 0u;
    uint dead = segments[grid.segment_count] * GRID_SEGMENT_CELLS; // the first cell of the dead
    if (state.flags == 0u && state.count != 0u) live = cell_starts[dead];
    state.live = live;
    uvec2 size = grid_dispatch((live + GROUP - 1u) / GROUP);
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_LIVE * 3u + 2u] = 1u;
}
