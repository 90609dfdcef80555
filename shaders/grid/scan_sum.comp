// Scan, first of three: the sum of every tile of GRID_SCAN_TILE elements.
// Reads data, writes sums. row.constant 0: the segments, 1: the cells.
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(std430, binding = GRID_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_DATA) readonly buffer data_block { uint data[]; };
layout(std430, binding = GRID_BIND_SUMS) writeonly buffer sums_block { uint sums[]; };

shared uint total;

void main()
{
    uint n = state.flags != 0u ? 0u : row.constant == 0u ? state.segment_scan : state.cell_scan;
    uint first = row_index() * GRID_SCAN_EACH;
    uint last = min(first + GRID_SCAN_EACH, n);
    uint sum = 0u;
    for (uint k = first; k < last; k++) sum += data[k];
    if (gl_LocalInvocationIndex == 0u) total = 0u;
    barrier();
    atomicAdd(total, sum);
    barrier();
    if (gl_LocalInvocationIndex == 0u && first < n)
        sums[row_index() / gl_WorkGroupSize.x] = total;
}
