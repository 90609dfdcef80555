// First pass of the scan: sums every tile of GRID_SCAN_TILE elements; one workgroup per tile.
#version 460
#define WORKGROUP GRID_SCAN_WORKGROUP
#include "bindings/grid.glsl"

READ_ANY(scan_lengths);
READ_ANY(scan_data);
WRITE_ANY(scan_tile_sums);
#include "reduce/scan_length.glsl"

shared uint total;

void main()
{
    uint n = scan_length();
    // the lanes read adjacent elements
    uint first = invocation_index() / GRID_SCAN_WORKGROUP * GRID_SCAN_TILE;
    uint last = min(first + GRID_SCAN_TILE, n), sum = 0u;
    for (uint k = first + gl_LocalInvocationIndex; k < last; k += GRID_SCAN_WORKGROUP) sum += scan_data[k];
    if (gl_LocalInvocationIndex == 0u) total = 0u;
    barrier();
    atomicAdd(total, sum);
    barrier();
    if (gl_LocalInvocationIndex == 0u && first < n)
        scan_tile_sums[first / GRID_SCAN_TILE] = total;
}
