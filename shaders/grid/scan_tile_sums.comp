// Middle pass of the scan of a long array: replaces the tile sums by their exclusive prefix sums; one
// workgroup.
#version 460
#define WORKGROUP GRID_SCAN_WORKGROUP
#include "bindings/grid.glsl"

READ_ANY(scan_lengths);
REDUCTION(scan_tile_sums);
#include "reduce/scan_length.glsl"
#define SCAN_TYPE uint
#define SCAN_LANES GRID_SCAN_WORKGROUP
#include "reduce/workgroup_scan.glsl"

void main()
{
    uint n = scan_length();
    uint tiles = (n + GRID_SCAN_TILE - 1u) / GRID_SCAN_TILE;
    uint lane = gl_LocalInvocationIndex;
    uint each = (tiles + GRID_SCAN_WORKGROUP - 1u) / GRID_SCAN_WORKGROUP;
    uint first = min(lane * each, tiles), last = min(first + each, tiles);
    uint sum = 0u;
    for (uint k = first; k < last; k++) sum += scan_tile_sums[k];
    lane_sums[lane] = sum;
    scan_workgroup(lane);
    uint before = lane_sums[lane] - sum;
    for (uint k = first; k < last; k++) {
        uint value = scan_tile_sums[k];
        scan_tile_sums[k] = before;
        before += value;
    }
}
