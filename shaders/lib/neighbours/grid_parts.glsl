// Finds the parts of a rank's bins, and the lines of bins in them: src/grid/parts.h.
// Buffers: parts.
#ifndef NEIGHBOURS_GRID_PARTS_GLSL
#define NEIGHBOURS_GRID_PARTS_GLSL
#include "neighbours/grid_bins.glsl"

// Returns the plane of a bin along the axis of the cuts.
uint grid_plane(uvec3 bin) { return parts.axis == 0u ? bin.x : parts.axis == 1u ? bin.y : bin.z; }

// Returns the part that holds a plane; parts.held if the rank does not hold it.
uint grid_part_of(uint plane)
{
    uint k = 0u, held = parts.held;
    for (; k < held; k++) // no buffer is read in the condition: tests/structure/test_loop_conditions.py
        if (plane >= parts.items[k].first && plane < parts.items[k].end) break;
    return k;
}

// Returns the segment at which the line of bins along x begins in a part; `bin` is one of its bins.
uint grid_part_line(grid_part part, uvec3 bin)
{
    uint y = bin.y - (parts.axis == 1u ? part.first : 0u), z = bin.z - (parts.axis == 2u ? part.first : 0u);
    uint line = (y / GRID_TILE_LINES * part.bins_z + z) * GRID_TILE_LINES + y % GRID_TILE_LINES;
    return part.first_segment + part.segments_x * line;
}

// Returns how many bins of the whole domain lie before the first one of a line of a part.
uint grid_part_shift(grid_part part) { return parts.axis == 0u ? part.first : 0u; }
#endif
