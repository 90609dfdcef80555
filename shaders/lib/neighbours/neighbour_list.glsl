// Reads four neighbours of a particle from its list, which is wide or compact (shaders/shared/grid.h).
// COMPACT is a constant.
// Buffers: neighbour_lists, grid.
#ifndef NEIGHBOURS_NEIGHBOUR_LIST_GLSL
#define NEIGHBOURS_NEIGHBOUR_LIST_GLSL
#include "neighbours/grid_bins.glsl"

// Returns neighbours k to k + 3 of particle i, k a multiple of 4; `at`: their index in a wide list.
uvec4 neighbour_indices(uint i, uint k, uint at)
{
    if (!COMPACT) return neighbour_lists[at];
    uint first = grid_compact_list_index(i - pass.first, grid.list_capacity);
    uvec4 words = neighbour_lists[first + k / GRID_COMPACT_STEP * GRID_LIST_INTERLEAVE];
    uvec2 two = (k & GRID_LIST_STEP) == 0u ? words.xy : words.zw;
    uvec4 halves = uvec4(two.x & 0xffffu, two.x >> 16, two.y & 0xffffu, two.y >> 16);
    uvec4 base = uvec4(i);
    bvec4 other = greaterThanEqual(halves, uvec4(GRID_COMPACT_OTHER_BASE));
    if (any(other)) {
        uint last = first + (grid.list_capacity / GRID_COMPACT_STEP - 1u) * GRID_LIST_INTERLEAVE;
        base = mix(base, uvec4(neighbour_lists[last].w), other);
    }
    return base + (halves & (GRID_COMPACT_OTHER_BASE - 1u)) - GRID_COMPACT_OFFSET;
}
#endif
