// Numbers the bins of a rank in parts, and finds lines of bins in them: src/grid/parts.h. With a single rank
// the numbers are those of the whole domain.
// Buffers: grid, parts.
#ifndef NEIGHBOURS_GRID_PARTS_GLSL
#define NEIGHBOURS_GRID_PARTS_GLSL
#include "neighbours/grid_bins.glsl"

bool grid_is_cut() { return parts.axis != GRID_NOT_CUT; }

// Returns the plane of a bin along the axis of the cuts.
uint grid_plane(uvec3 bin) { return parts.axis == 0u ? bin.x : parts.axis == 1u ? bin.y : bin.z; }

// Returns the part that holds a plane; parts.held if the rank does not hold it.
uint grid_part_of(uint plane)
{
    uint k = 0u, held = parts.held;
    while (k < held && (plane < parts.items[k].first || plane >= parts.items[k].end)) k++;
    return k;
}

// Returns the segment at which the line of bins along x begins in part k; `bin` is one of its bins.
uint grid_part_line(uint k, uvec3 bin)
{
    uint first = parts.items[k].first;
    uint y = bin.y - (parts.axis == 1u ? first : 0u), z = bin.z - (parts.axis == 2u ? first : 0u);
    uint line = (y / GRID_TILE_LINES * parts.items[k].bins_z + z) * GRID_TILE_LINES + y % GRID_TILE_LINES;
    return parts.items[k].first_segment + parts.items[k].segments_x * line;
}

// Returns how many bins of the whole domain lie before the first one of a line of part k.
uint grid_part_shift(uint k) { return parts.axis == 0u ? parts.items[k].first : 0u; }

// Returns the number of a bin that the rank holds; the number of the dead for any other bin.
uint grid_held_bin_key(uvec3 bin)
{
    if (!grid_is_cut()) return grid_bin_key(grid, bin);
    uint k = grid_part_of(grid_plane(bin));
    if (k == parts.held) return grid.segment_count * GRID_SEGMENT_BINS;
    uint x = bin.x - grid_part_shift(k);
    return (grid_part_line(k, bin) + x / GRID_SEGMENT_BINS) * GRID_SEGMENT_BINS + x % GRID_SEGMENT_BINS;
}
#endif
