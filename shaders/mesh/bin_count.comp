// Counts the particles of every bin; one invocation per particle. The counter's old value is the particle's
// rank in its bin, in an order that differs from run to run; bin_sort.comp makes the order fixed.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_OWN(positions);
READ_ANY(super_blocks);
READ_ANY(children);
ATOMIC(bins);
WRITE_OWN(keys);
WRITE_OWN(ranks);
#include "mesh/blocks.glsl"

void main()
{
    uint i = pass.first + invocation_index();
    if (i >= params.particle_count || state.block_count == 0u) return;
    uvec3 cell = uvec3(floor(mesh_to_lattice(params, positions[i - pass.first].xyz)));
    uint block = mesh_find_block(ivec3(cell >> 3));
    if (block == MESH_NOT_FOUND) block = 0u; // only if passes rounded differently; out of every node's reach
    uint key = block * mesh_bins_per_block(params.bin_shift) + mesh_bin_in_block(params.bin_shift, cell & 7u);
    keys[i] = key;
    ranks[i] = atomicAdd(bins[key], 1u);
}
