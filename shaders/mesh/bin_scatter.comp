// Puts every particle into its bin's range, in the counted order, with a word that tells where in the
// bin it stands.
// Reads positions, keys, ranks, bins (scanned); writes slots (index, place in the bin).
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_POSITIONS) readonly buffer positions_block { vec4 positions[]; };
layout(std430, binding = MESH_BIND_KEYS) readonly buffer keys_block { uint keys[]; };
layout(std430, binding = MESH_BIND_RANKS) readonly buffer ranks_block { uint ranks[]; };
layout(std430, binding = MESH_BIND_BINS) readonly buffer bins_block { uint bins[]; };
layout(std430, binding = MESH_BIND_SLOTS) writeonly buffer slots_block { uvec2 slots[]; };

void main()
{
    uint i = row.first + row_index();
    if (i >= params.particle_count) return;
    vec3 cells = mesh_lattice(params, positions[i - row.first].xyz) * exp2(-float(params.bin_shift));
    uvec3 fine = uvec3(fract(cells) * 1023.99);
    slots[bins[keys[i]] + ranks[i]] = uvec2(i, fine.x | fine.y << 10 | fine.z << 20);
}
