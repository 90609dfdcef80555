// Scan, second of three: one workgroup turns the tile sums into their exclusive prefix.
// Reads and writes sums. row.constant 0: the segments, 1: the cells.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_SUMS) buffer sums_block { uint sums[]; };

shared uint parts[GRID_SCAN_WORKGROUP];

void main()
{
    uint n = state.flags != 0u ? 0u : row.constant == 0u ? state.segment_scan : state.cell_scan;
    uint tiles = (n + GRID_SCAN_TILE - 1u) / GRID_SCAN_TILE;
    uint lane = gl_LocalInvocationIndex;
    uint each = (tiles + GRID_SCAN_WORKGROUP - 1u) / GRID_SCAN_WORKGROUP;
    uint first = min(lane * each, tiles), last = min(first + each, tiles);
    uint sum = 0u;
    for (uint k = first; k < last; k++) sum += sums[k];
    parts[lane] = sum;
    barrier();
    uint before = 0u;
    for (uint k = 0u; k < lane; k++) before += parts[k];
    for (uint k = first; k < last; k++) {
        uint value = sums[k];
        sums[k] = before;
        before += value;
    }
}
