// Mends the order inside every cell: by particle id, so that the sorted order is that of a stable sort
// by (cell, id) whatever the timing of the counters was.
// Reads keys, segments, cells, slots; writes sources (the index that moves to each place).
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_KEYS) readonly buffer keys_block { uint keys[]; };
layout(std430, binding = GRID_BIND_SEGMENTS) readonly buffer segments_block { uint segments[]; };
layout(std430, binding = GRID_BIND_CELLS) readonly buffer cells_block { uint cells[]; };
layout(std430, binding = GRID_BIND_SLOTS) readonly buffer slots_block { uvec2 slots[]; };
layout(std430, binding = GRID_BIND_SOURCES) writeonly buffer sources_block { uint sources[]; };

void main()
{
    uint t = row_index();
    if (t >= state.count || state.flags != 0u) return;
    uvec2 mine = slots[t];
    uint key = keys[mine.x];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    uint first = cells[cell], last = min(cells[cell + 1u], first + 65000u);
    uint place = first;
    for (uint k = first; k < last; k++) place += slots[k].y < mine.y ? 1u : 0u;
    sources[place] = mine.x;
}
