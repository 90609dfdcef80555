// Dense grids: finds the bin of every particle and counts the particles in each; one invocation per particle.
// The counter's old value is the particle's rank in its bin (count_bins.comp).
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
BLOCK(state);
BLOCK(parts);
READ_OWN(positions);
WRITE_OWN(bin_keys);
WRITE_OWN(bin_ranks);
ATOMIC(bin_starts);
#include "neighbours/bin_key.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.count);
    uint key = particle_bin_key(i);
    bin_keys[i] = key;
    bin_ranks[i] = atomicAdd(bin_starts[key], 1u);
}
