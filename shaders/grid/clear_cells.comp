// Sets the counters of all active cells to zero. Writes cells.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_CELLS) writeonly buffer cells_block { uint cells[]; };

void main()
{
    uint i = row_index();
    if (i < state.cell_scan) cells[i] = 0u;
}
