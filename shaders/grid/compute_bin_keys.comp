// Finds the bin of every particle and marks its segment as active; one invocation per particle. A particle
// with w < 0 is dead and sorts after all others.
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
BLOCK(state);
READ_OWN(positions);
WRITE_OWN(bin_keys);
ATOMIC(segments);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.count);
    ivec4 p = positions[i];
    vec3 at = FIXED ? grid_bin_coordinates(grid, p.xyz) : grid_bin_coordinates(grid, intBitsToFloat(p.xyz));
    uint key = grid.segment_count * GRID_SEGMENT_BINS;
    if (p.w >= 0) key = grid_bin_key(grid, uvec3(grid_wrap_bin(grid, ivec3(floor(at)))));
    bin_keys[i] = key;
    if (!DENSE) atomicOr(segments[key / GRID_SEGMENT_BINS], 1u);
}
