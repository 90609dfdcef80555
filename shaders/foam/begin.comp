// One invocation: the points that the grid sorts, and an empty count of whitewater.
#version 460
#extension GL_GOOGLE_include_directive : require
#define WORKGROUP 1
#include "foam.glsl"

BLOCK(grid);
BLOCK(params);
REDUCE(state);
REDUCE(census);

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
    census.arguments[0] = census.arguments[1] = 0u;
    census.arguments[2] = 1u;
    census.births = census.survivors = census.count = 0u;
    for (uint i = 0u; i < FOAM_CAUSES; i++) census.born[i] = 0u;
    for (uint i = 0u; i < FOAM_KINDS; i++) census.alive[i] = 0u;
}
