// Clears the counters of all active bins, GRID_SCAN_PER_INVOCATION per invocation. In a dense grid, where
// they are all bins, the first invocation also sets the dispatch sizes of passes over bins.
#version 460
#define WORKGROUP GRID_SCAN_WORKGROUP
#include "bindings/grid.glsl"

BLOCK(grid);
UPDATE_ANY(state);
WRITE_ANY(bin_vectors);
#include "neighbours/bin_arguments.glsl"

void main()
{
    uint segment_count = grid.segment_count + 1u, bins = state.bin_scan_length;
    if (DENSE) bins = state.count > 0u ? segment_count * GRID_SEGMENT_BINS + 1u : 0u;
    uint vectors = (bins + 3u) / 4u;
    // the lanes write adjacent vectors
    uint first = workgroup_index() * (GRID_SCAN_TILE / 4u) + gl_LocalInvocationIndex;
    for (uint row = 0u; row < GRID_SCAN_PER_INVOCATION / 4u; row++) {
        uint at = first + row * GRID_SCAN_WORKGROUP;
        if (at < vectors) bin_vectors[at] = uvec4(0u);
    }
    if (DENSE && invocation_index() == 0u)
        set_bin_arguments(state.flags != 0u || state.count == 0u ? 0u : segment_count);
}
