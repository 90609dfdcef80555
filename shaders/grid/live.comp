// One invocation: how many particles are left before the dead, and the dispatch sizes over them and over
// those whose lists are to be made.
// Reads segments, cells; writes state.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_PARAMS) readonly buffer params_block { grid_params grid; };
layout(std430, binding = GRID_BIND_STATE) buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_SEGMENTS) readonly buffer segments_block { uint segments[]; };
layout(std430, binding = GRID_BIND_CELLS) readonly buffer cells_block { uint cells[]; };

void set_arguments(uint which, uint groups)
{
    uvec2 size = grid_dispatch(groups);
    state.arguments[which * 3u] = size.x;
    state.arguments[which * 3u + 1u] = size.y;
    state.arguments[which * 3u + 2u] = 1u;
}

void main()
{
    if (gl_GlobalInvocationID.x != 0u) return;
    uint live = 0u;
    uint dead = segments[grid.segment_count] * GRID_SEGMENT_CELLS; // the first cell of the dead
    if (state.kept != 0u)
        state.count = live = state.kept;
    else if (state.flags == 0u && state.count != 0u)
        live = cells[dead];
    state.live = state.built = live;
    set_arguments(GRID_ARGS_LIVE, (live + row.constant - 1u) / row.constant);
    uint listed = state.kept != 0u ? 0u : live;
    set_arguments(GRID_ARGS_LISTED, (listed + row.constant - 1u) / row.constant);
}
