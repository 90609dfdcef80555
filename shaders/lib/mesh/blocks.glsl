// Finds the number of a block from its lattice coordinates. Blocks beyond the capacity are not found.
// Buffers: params, super_blocks, children.
#ifndef MESH_BLOCKS_GLSL
#define MESH_BLOCKS_GLSL

uint mesh_find_super_block(uvec3 s)
{
    if (any(greaterThanEqual(s, uvec3(params.super_blocks_x, params.super_blocks_y, params.super_blocks_z))))
        return MESH_NOT_FOUND;
    uint at = mesh_super_block_index(params, s);
    uint number = super_blocks[at];
    return super_blocks[at + 1u] != number && number < params.super_block_count ? number : MESH_NOT_FOUND;
}

// Returns MESH_NOT_FOUND if the block is not active. A negative coordinate becomes a large unsigned one.
uint mesh_find_block(ivec3 block)
{
    uvec3 b = uvec3(block);
    uint of_super = mesh_find_super_block(b >> 3);
    if (of_super == MESH_NOT_FOUND) return MESH_NOT_FOUND;
    uint at = of_super * MESH_BLOCKS_PER_SUPER_BLOCK + mesh_child_index(b);
    uint number = children[at];
    return children[at + 1u] != number && number < params.block_count ? number : MESH_NOT_FOUND;
}
#endif
