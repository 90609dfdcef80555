// Puts every particle's index and id into its cell's range, in the counted order.
// Reads keys, ranks, segments, cells (scanned), ids; writes slots (index, id).
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_KEYS) readonly buffer keys_block { uint keys[]; };
layout(std430, binding = GRID_BIND_RANKS) readonly buffer ranks_block { uint ranks[]; };
layout(std430, binding = GRID_BIND_SEGMENTS) readonly buffer segments_block { uint segments[]; };
layout(std430, binding = GRID_BIND_CELLS) readonly buffer cells_block { uint cells[]; };
layout(std430, binding = GRID_BIND_IDS) readonly buffer ids_block { uint ids[]; };
layout(std430, binding = GRID_BIND_SLOTS) writeonly buffer slots_block { uvec2 slots[]; };

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    uint key = keys[i];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    slots[cells[cell] + ranks[i]] = uvec2(i, ids[i]);
}
