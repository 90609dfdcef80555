// Last of three passes of the scan: replaces every element by the sum of all elements before it;
// GRID_SCAN_PER_INVOCATION elements per invocation.
#version 460
#define WORKGROUP GRID_SCAN_WORKGROUP
#include "bindings/grid.glsl"

READ_ANY(scan_lengths);
UPDATE_ANY(scan_data);
READ_ANY(scan_tile_sums);
#include "reduce/scan_length.glsl"
#define SCAN_TYPE uint
#define SCAN_LANES GRID_SCAN_WORKGROUP
#include "reduce/workgroup_scan.glsl"

void main()
{
    uint n = scan_length();
    uint lane = gl_LocalInvocationIndex;
    uint first = invocation_index() * GRID_SCAN_PER_INVOCATION;
    uint last = min(first + GRID_SCAN_PER_INVOCATION, n);
    // A complete group of elements is kept in registers, without a test for each element.
    bool whole = first + GRID_SCAN_PER_INVOCATION <= n;
    uint values[GRID_SCAN_PER_INVOCATION], sum = 0u;
    if (whole) {
        for (uint k = 0u; k < GRID_SCAN_PER_INVOCATION; k++) values[k] = scan_data[first + k];
        for (uint k = 0u; k < GRID_SCAN_PER_INVOCATION; k++) sum += values[k];
    } else {
        for (uint k = first; k < last; k++) sum += scan_data[k];
    }
    lane_sums[lane] = sum;
    scan_workgroup(lane);
    if (first >= n) return;
    uint before = scan_tile_sums[invocation_index() / gl_WorkGroupSize.x] + lane_sums[lane] - sum;
    if (whole) {
        for (uint k = 0u; k < GRID_SCAN_PER_INVOCATION; k++) {
            scan_data[first + k] = before;
            before += values[k];
        }
    } else {
        for (uint k = first; k < last; k++) {
            uint value = scan_data[k];
            scan_data[k] = before;
            before += value;
        }
    }
}
