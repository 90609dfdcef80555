// Computes bins and segments of the grid: pure functions, no bindings. Layout: shaders/shared/grid.h.
#ifndef NEIGHBOURS_GRID_BINS_GLSL
#define NEIGHBOURS_GRID_BINS_GLSL
#include "grid.h"

// Returns a position in bins from the lower corner of the grid.
vec3 grid_bin_coordinates(grid_params g, vec3 metres)
{
    return (metres - g.origin.xyz) * g.inverse_bin_size.xyz;
}

vec3 grid_bin_coordinates(grid_params g, ivec3 fixed_point)
{
    return vec3(fixed_point - g.corner.xyz) * (g.unit * g.inverse_bin_size.xyz);
}

// Wraps a bin on periodic axes and clamps it on the others: a position just outside the domain belongs to the
// nearest bin.
ivec3 grid_wrap_bin(grid_params g, ivec3 c)
{
    ivec3 n = ivec3(g.bins_x, g.bins_y, g.bins_z);
    ivec3 wrapped = c - n * ivec3(floor(vec3(c) / vec3(n)));
    ivec3 clamped = clamp(c, ivec3(0), n - 1);
    return mix(clamped, wrapped, greaterThan(g.period.xyz, vec3(0.0)));
}

uint grid_segment_index(grid_params g, uint x, uint y, uint z)
{
    uint line = (y / GRID_TILE_LINES * g.bins_z + z) * GRID_TILE_LINES + y % GRID_TILE_LINES;
    return x / GRID_SEGMENT_BINS + g.segments_x * line;
}

// Returns the number of a bin in the whole domain: segment * 32 + index within the segment.
uint grid_bin_key(grid_params g, uvec3 c)
{
    return grid_segment_index(g, c.x, c.y, c.z) * GRID_SEGMENT_BINS + c.x % GRID_SEGMENT_BINS;
}

// Returns x and y of a dispatch of `groups` workgroups: more than every device supports along x fold into y.
uvec2 grid_dispatch(uint groups)
{
    uint rows = max((groups + GRID_MAX_DISPATCH_X - 1u) / GRID_MAX_DISPATCH_X, 1u);
    return uvec2(rows > 1u ? GRID_MAX_DISPATCH_X : groups, rows);
}

// Returns the index of the first step of particle i's compact list.
uint grid_compact_list_index(uint i, uint capacity)
{
    return i / GRID_LIST_INTERLEAVE * (capacity / GRID_COMPACT_STEP) * GRID_LIST_INTERLEAVE +
           i % GRID_LIST_INTERLEAVE;
}

// Returns the index of neighbours k to k + 3 (k a multiple of 4) of particle i in the lists, in steps of
// GRID_LIST_STEP; i is relative to the start of the bound range.
uint grid_list_index(uint i, uint k, uint capacity)
{
    return (i / GRID_LIST_INTERLEAVE * (capacity / GRID_LIST_STEP) + k / GRID_LIST_STEP) *
               GRID_LIST_INTERLEAVE +
           i % GRID_LIST_INTERLEAVE;
}
#endif
