// Finds the cell of every particle and marks its segment as active.
// Reads positions (w unused; a position with w < 0 is dead and sorts behind all others), writes keys,
// sets segments.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(constant_id = 1) const uint DENSE = 0u;

layout(std430, binding = GRID_BIND_PARAMS) readonly buffer params_block { grid_params grid; };
layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_POSITIONS) readonly buffer positions_block { vec4 positions[]; };
layout(std430, binding = GRID_BIND_KEYS) writeonly buffer keys_block { uint keys[]; };
layout(std430, binding = GRID_BIND_SEGMENTS) buffer segments_block { uint segments[]; };

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    vec4 p = positions[i];
    uint key = grid.segment_count * GRID_SEGMENT_CELLS;
    if (p.w >= 0.0) key = grid_key(grid, uvec3(grid_inside(grid, grid_cell(grid, p.xyz))));
    keys[i] = key;
    if (DENSE == 0u) atomicOr(segments[key / GRID_SEGMENT_CELLS], 1u);
}
