// Finds the bin of a particle. FIXED and CUT are constants. CUT: the grid is that of a rank, which numbers
// its bins in parts. Kernels that have it compute no floats that could round differently in its variants.
// Buffers: grid, parts, positions.
#ifndef NEIGHBOURS_BIN_KEY_GLSL
#define NEIGHBOURS_BIN_KEY_GLSL
#include "neighbours/grid_parts.glsl"

// Returns the number of a bin that the rank holds; the number of the dead for any other bin.
uint grid_held_bin_key(uvec3 bin)
{
    if (!CUT) return grid_bin_key(grid, bin);
    uint k = grid_part_of(grid_plane(bin));
    if (k == parts.held) return grid.segment_count * GRID_SEGMENT_BINS;
    grid_part part = parts.items[k];
    uint x = bin.x - grid_part_shift(part);
    return (grid_part_line(part, bin) + x / GRID_SEGMENT_BINS) * GRID_SEGMENT_BINS + x % GRID_SEGMENT_BINS;
}

// Returns the key of particle i's bin. A particle with w < 0 is dead and sorts after all others.
uint particle_bin_key(uint i)
{
    ivec4 p = positions[i];
    vec3 at = FIXED ? grid_bin_coordinates(grid, p.xyz) : grid_bin_coordinates(grid, intBitsToFloat(p.xyz));
    if (p.w < 0) return grid.segment_count * GRID_SEGMENT_BINS;
    return grid_held_bin_key(uvec3(grid_wrap_bin(grid, ivec3(floor(at)))));
}
#endif
