// One invocation: the points that the grid sorts.
#version 460
#extension GL_GOOGLE_include_directive : require
#define WORKGROUP 1
#include "probe.glsl"

BLOCK(grid);
BLOCK(params);
REDUCE(state);

void main()
{
    if (gl_GlobalInvocationID.x != 0u) return;
    uint n = params.point_count;
    uvec2 size = grid_dispatch((n + GROUP - 1u) / GROUP);
    state.arguments[GRID_ARGS_PARTICLES * 3u] = size.x;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 2u] = 1u;
    state.count = n;
    state.live = 0u;
    state.flags = 0u;
    state.segment_scan = n == 0u ? 0u : grid.segment_count + 2u;
}
