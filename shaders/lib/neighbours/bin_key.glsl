// Finds the bin of a particle. FIXED is a constant.
// Buffers: grid, parts, positions.
#ifndef NEIGHBOURS_BIN_KEY_GLSL
#define NEIGHBOURS_BIN_KEY_GLSL
#include "neighbours/grid_parts.glsl"

// Returns the key of particle i's bin. A particle with w < 0 is dead and sorts after all others.
uint particle_bin_key(uint i)
{
    ivec4 p = positions[i];
    vec3 at = FIXED ? grid_bin_coordinates(grid, p.xyz) : grid_bin_coordinates(grid, intBitsToFloat(p.xyz));
    if (p.w < 0) return grid.segment_count * GRID_SEGMENT_BINS;
    return grid_held_bin_key(uvec3(grid_wrap_bin(grid, ivec3(floor(at)))));
}
#endif
