// Scan, last of three: every element becomes the sum of all elements before it.
#version 460
#define WORKGROUP GRID_SCAN_WORKGROUP
#include "bindings/grid.glsl"

READ_ANY(lengths);
UPDATE_ANY(data);
READ_ANY(sums);
#include "reduce/scan_length.glsl"
#define SCAN_TYPE uint
#define SCAN_LANES GRID_SCAN_WORKGROUP
#include "reduce/workgroup_scan.glsl"

void main()
{
    uint n = scan_length();
    uint lane = gl_LocalInvocationIndex;
    uint first = row_index() * GRID_SCAN_EACH;
    uint last = min(first + GRID_SCAN_EACH, n);
    // A whole share is kept in registers, without a test for each element.
    bool whole = first + GRID_SCAN_EACH <= n;
    uint values[GRID_SCAN_EACH], sum = 0u;
    if (whole) {
        for (uint k = 0u; k < GRID_SCAN_EACH; k++) values[k] = data[first + k];
        for (uint k = 0u; k < GRID_SCAN_EACH; k++) sum += values[k];
    } else {
        for (uint k = first; k < last; k++) sum += data[k];
    }
    parts[lane] = sum;
    scan_parts(lane);
    if (first >= n) return;
    uint before = sums[row_index() / gl_WorkGroupSize.x] + parts[lane] - sum;
    if (whole) {
        for (uint k = 0u; k < GRID_SCAN_EACH; k++) {
            data[first + k] = before;
            before += values[k];
        }
    } else {
        for (uint k = first; k < last; k++) {
            uint value = data[k];
            data[k] = before;
            before += value;
        }
    }
}
