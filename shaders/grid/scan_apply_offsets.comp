// Last pass of the scan: replaces every element by the sum of all elements before it; one workgroup per tile.
// A lane owns one vector in each of four rows of a tile, so that the lanes access adjacent vectors; the four
// rows are scanned together.
#version 460
#define WORKGROUP GRID_SCAN_WORKGROUP
#include "bindings/grid.glsl"

READ_ANY(scan_lengths);
UPDATE_ANY(scan_vectors);
READ_ANY(scan_tile_sums);
#include "reduce/scan_length.glsl"
#define SCAN_TYPE uvec4
#define SCAN_LANES GRID_SCAN_WORKGROUP
#include "reduce/workgroup_scan.glsl"

const uint rows = GRID_SCAN_PER_INVOCATION / 4u;
shared uint earlier_tiles;

// Returns the sum of all tiles before this one.
uint sum_before_tile(uint tile)
{
    if ((pass.constant & GRID_SCAN_UNSUMMED_TILES) == 0u) return scan_tile_sums[tile];
    uint sum = 0u;
    for (uint k = gl_LocalInvocationIndex; k < tile; k += GRID_SCAN_WORKGROUP) sum += scan_tile_sums[k];
    if (gl_LocalInvocationIndex == 0u) earlier_tiles = 0u;
    barrier();
    atomicAdd(earlier_tiles, sum);
    barrier();
    return earlier_tiles;
}

uint vector_sum(uvec4 v) { return v.x + v.y + v.z + v.w; }

void main()
{
    uint n = scan_length(), tile = workgroup_index();
    uint first = tile * (GRID_SCAN_TILE / 4u) + gl_LocalInvocationIndex;
    uvec4 values[rows], sums, totals;
    for (uint row = 0u; row < rows; row++) {
        uint at = first + row * GRID_SCAN_WORKGROUP;
        values[row] = at * 4u < n ? scan_vectors[at] : uvec4(0u);
        sums[row] = vector_sum(values[row]);
    }
    uint before_row = tile * GRID_SCAN_TILE < n ? sum_before_tile(tile) : 0u;
    uvec4 before = workgroup_exclusive_scan(sums, totals);
    for (uint row = 0u; row < rows; row++) {
        uint at = first + row * GRID_SCAN_WORKGROUP;
        uvec4 v = values[row];
        uvec4 sum = uvec4(0u, v.x, v.x + v.y, v.x + v.y + v.z) + (before_row + before[row]);
        before_row += totals[row];
        // elements beyond the scan's length keep their values
        bvec4 inside = lessThan(at * 4u + uvec4(0u, 1u, 2u, 3u), uvec4(n));
        if (inside.x) scan_vectors[at] = mix(v, sum, inside);
    }
}
