// Finds the cell of every particle and marks its segment as active.
// Reads positions (floats, or places; one with w < 0 is dead and sorts behind all others), writes keys,
// sets segments.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(constant_id = 1) const uint DENSE = 0u;
layout(constant_id = 2) const bool PLACES = false;

layout(std430, binding = GRID_BIND_PARAMS) readonly buffer params_block { grid_params grid; };
layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_POSITIONS) readonly buffer positions_block { ivec4 positions[]; };
layout(std430, binding = GRID_BIND_KEYS) writeonly buffer keys_block { uint keys[]; };
layout(std430, binding = GRID_BIND_SEGMENTS) buffer segments_block { uint segments[]; };

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    ivec4 p = positions[i];
    vec3 at = PLACES ? grid_cells(grid, p.xyz) : grid_cells(grid, intBitsToFloat(p.xyz));
    uint key = grid.segment_count * GRID_SEGMENT_CELLS;
    if (p.w >= 0) key = grid_key(grid, uvec3(grid_inside(grid, ivec3(floor(at)))));
    keys[i] = key;
    if (DENSE == 0u) atomicOr(segments[key / GRID_SEGMENT_CELLS], 1u);
}
