// Finds the particles in one bin, at most MESH_BIN_MAX.
// Buffers: params, bins, and those of mesh/blocks.glsl.
#ifndef MESH_BINS_GLSL
#define MESH_BINS_GLSL
#include "mesh/blocks.glsl"

uvec2 mesh_bin_range(ivec3 bin)
{
    int per_block = 3 - int(params.bin_shift);
    uint block = mesh_find_block(bin >> per_block);
    if (block == MESH_NOT_FOUND) return uvec2(0u);
    uvec3 b = uvec3(bin) & ((1u << per_block) - 1u);
    uint key = block * mesh_bins_per_block(params.bin_shift) +
               (per_block == 0 ? 0u : b.x | b.y << 1 | b.z << 2);
    return uvec2(bins[key], bins[key + 1u]);
}

ivec3 mesh_min_bin(vec3 q) { return ivec3(floor(q - params.reach)) >> int(params.bin_shift); }
ivec3 mesh_max_bin(vec3 q) { return ivec3(floor(q + params.reach)) >> int(params.bin_shift); }
#endif
