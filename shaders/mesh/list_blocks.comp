// Lists the active blocks in order, each with its lattice coordinates; one invocation per child of the active
// super blocks (pass.constant of them), and one that writes the number of blocks, which is 0 if blocks or
// particles do not fit.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
READ_ANY(children);
READ_ANY(super_block_list);
WRITE_ANY(blocks);
ATOMIC(state);

void main()
{
    uint i = invocation_index();
    if (i > pass.constant) return;
    uint number = children[i];
    if (i == pass.constant) {
        state.block_count = state.overflow == 0u && number <= params.block_count ? number : 0u;
        return;
    }
    if (children[i + 1u] == number || number >= params.block_count) return;
    uint at = super_block_list[i / MESH_BLOCKS_PER_SUPER_BLOCK];
    uvec3 s = uvec3(at % params.super_blocks_x, at / params.super_blocks_x % params.super_blocks_y,
                    at / (params.super_blocks_x * params.super_blocks_y));
    blocks[number] = ivec4(ivec3(s) * 8 + mesh_node_coordinates(i % MESH_BLOCKS_PER_SUPER_BLOCK), 0);
}
