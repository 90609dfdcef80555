// Writes every particle's entry into its bin's range, in the counted order; one invocation per particle. The
// entry's second word is the particle's position in the bin, 10 bits per axis.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_OWN(positions);
READ_OWN(keys);
READ_OWN(ranks);
READ_ANY(bins);
WRITE_ANY(entries);

void main()
{
    uint i = pass.first + invocation_index();
    if (i >= params.particle_count || state.block_count == 0u) return;
    vec3 cells = mesh_to_lattice(params, positions[i - pass.first].xyz) * exp2(-float(params.bin_shift));
    uvec3 fine = uvec3(fract(cells) * 1023.99);
    entries[bins[keys[i]] + ranks[i]] = uvec2(i, fine.x | fine.y << 10 | fine.z << 20);
}
