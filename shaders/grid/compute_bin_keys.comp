// Sparse grids: finds the bin of every particle and marks its segment as active; one invocation per particle.
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
BLOCK(state);
BLOCK(parts);
READ_OWN(positions);
WRITE_OWN(bin_keys);
ATOMIC(segments);
#include "neighbours/bin_key.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.count);
    uint key = particle_bin_key(i);
    bin_keys[i] = key;
    atomicOr(segments[key / GRID_SEGMENT_BINS], 1u);
}
