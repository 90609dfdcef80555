// Counts the particles of every bin. The counter's old value is the particle's rank in its bin, in an order
// that differs from run to run; bin_order makes the order fixed.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_OWN(positions);
READ_ANY(supers);
READ_ANY(children);
ATOMIC(bins);
WRITE_OWN(keys);
WRITE_OWN(ranks);
#include "mesh/blocks.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= params.particle_count || state.block_count == 0u) return;
    uvec3 cell = uvec3(floor(mesh_lattice(params, positions[i - row.first].xyz)));
    uint block = mesh_find_block(ivec3(cell >> 3));
    uint key = block * mesh_bins(params.bin_shift) + mesh_bin(params.bin_shift, cell & 7u);
    keys[i] = key;
    ranks[i] = atomicAdd(bins[key], 1u);
}
