// Counts the particles of every bin; the counter's old value is the particle's rank in its bin, in an
// order that differs from run to run until bin_order mends it.
// Reads positions, supers, children; adds to bins; writes keys and ranks.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_POSITIONS) readonly buffer positions_block { vec4 positions[]; };
layout(std430, binding = MESH_BIND_SUPERS) readonly buffer supers_block { uint supers[]; };
layout(std430, binding = MESH_BIND_CHILDREN) readonly buffer children_block { uint children[]; };
layout(std430, binding = MESH_BIND_BINS) buffer bins_block { uint bins[]; };
layout(std430, binding = MESH_BIND_KEYS) writeonly buffer keys_block { uint keys[]; };
layout(std430, binding = MESH_BIND_RANKS) writeonly buffer ranks_block { uint ranks[]; };
#include "mesh_find.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= params.particle_count) return;
    uvec3 cell = uvec3(floor(mesh_lattice(params, positions[i - row.first].xyz)));
    uint block = mesh_find_block(ivec3(cell >> 3));
    uint key = block * mesh_bins(params.bin_shift) + mesh_bin(params.bin_shift, cell & 7u);
    keys[i] = key;
    ranks[i] = atomicAdd(bins[key], 1u);
}
