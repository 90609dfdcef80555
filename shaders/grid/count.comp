// Counts the particles of every active cell; the counter's old value is the particle's rank in its
// cell, in an order that differs from run to run until the order kernel mends it.
// Reads keys, segments; adds to cells; writes ranks.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_KEYS) readonly buffer keys_block { uint keys[]; };
layout(std430, binding = GRID_BIND_RANKS) writeonly buffer ranks_block { uint ranks[]; };
layout(std430, binding = GRID_BIND_SEGMENTS) readonly buffer segments_block { uint segments[]; };
layout(std430, binding = GRID_BIND_CELLS) buffer cells_block { uint cells[]; };

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    uint key = keys[i];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    ranks[i] = atomicAdd(cells[cell], 1u);
}
