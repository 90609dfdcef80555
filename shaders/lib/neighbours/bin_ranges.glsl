// Finds the particles of a line of bins, and the bins that a sphere touches. PERIODIC and DENSE are
// constants.
// Buffers: grid, segments, bin_starts.
#ifndef NEIGHBOURS_BIN_RANGES_GLSL
#define NEIGHBOURS_BIN_RANGES_GLSL
#include "neighbours/grid_bins.glsl"

// Returns the number of particles before bin x of a line; with `after` 1, before the next bin.
uint line_start(uint slot, bool occupied, uint x, uint after)
{
    return bin_starts[slot * GRID_SEGMENT_BINS + (occupied ? x % GRID_SEGMENT_BINS + after : 0u)];
}

// Returns the range of particles of bins lo to hi of a line. It is contiguous even across segments, because
// segments and bins are numbered along the line.
uvec2 bin_line_range(uint line, uint lo, uint hi)
{
    if (DENSE) {
        uint first = line * GRID_SEGMENT_BINS;
        return uvec2(bin_starts[first + lo], bin_starts[first + hi + 1u]);
    }
    uint low = line + lo / GRID_SEGMENT_BINS, high = line + hi / GRID_SEGMENT_BINS;
    uint low_slot = segments[low], high_slot = low_slot, behind = segments[high + 1u];
    bool low_occupied = behind != low_slot, high_occupied = low_occupied;
    if (high != low) {
        high_slot = segments[high];
        low_occupied = high_slot != low_slot;
        high_occupied = behind != high_slot;
    }
    return uvec2(line_start(low_slot, low_occupied, lo, 0u),
                 line_start(high_slot, high_occupied, hi, 1u));
}

// Returns the distance, in bins, from a point to the bins at `offset` along one axis. `inside`: position of
// the point within its own bin, 0 to 1 (bin_line_inside).
float bin_line_gap(int offset, float inside)
{
    float after = float(offset) - inside;
    return max(max(after, -1.0 - after), 0.0);
}

// Returns a point's position within its bin. A point outside the domain belongs to the nearest bin, and has
// the position there that is nearest to it.
vec3 bin_line_inside(vec3 inside) { return clamp(inside, 0.0, 1.0); }

// Returns the index of a bin along an axis; -1 beyond the end of an axis that is not periodic, and more than
// a period beyond the end of one that is: blocks of cells may reach so far.
int bin_line_wrap(int c, uint n, float period)
{
    if (uint(c) < n) return c;
    int wrapped = c < 0 ? c + int(n) : c - int(n);
    return PERIODIC && period > 0.0 && uint(wrapped) < n ? wrapped : -1;
}
#endif
