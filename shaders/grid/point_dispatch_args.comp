// Sets the number of points (pass.constant) and the dispatch size over them; one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/grid.glsl"

BLOCK(grid);
REDUCTION(state);

void main()
{
    if (invocation_index() != 0u) return;
    uvec2 size = grid_dispatch((pass.constant + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    state.arguments[GRID_ARGS_PARTICLES * 3u] = size.x;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 2u] = 1u;
    state.count = pass.constant;
    state.live = state.near = state.held = 0u;
    state.flags = 0u;
    state.segment_scan_length = pass.constant == 0u ? 0u : grid.segment_count + 2u;
}
