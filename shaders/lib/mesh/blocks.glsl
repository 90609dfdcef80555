// Finds the number of a block by its lattice coordinates. Blocks for which there is no room are missing.
// Buffers: params, supers, children.
#ifndef MESH_BLOCKS_GLSL
#define MESH_BLOCKS_GLSL

uint mesh_find_super(uvec3 s)
{
    if (any(greaterThanEqual(s, uvec3(params.supers_x, params.supers_y, params.supers_z)))) return MESH_NONE;
    uint at = mesh_super(params, s);
    uint number = supers[at];
    return supers[at + 1u] != number && number < params.super_count ? number : MESH_NONE;
}

// MESH_NONE where no block is active. A coordinate below 0 becomes a large unsigned one.
uint mesh_find_block(ivec3 block)
{
    uvec3 b = uvec3(block);
    uint of_super = mesh_find_super(b >> 3);
    if (of_super == MESH_NONE) return MESH_NONE;
    uint at = of_super * MESH_CHILDREN + mesh_child(b);
    uint number = children[at];
    return children[at + 1u] != number && number < params.block_count ? number : MESH_NONE;
}
#endif
