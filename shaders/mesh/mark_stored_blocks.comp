// Marks the blocks whose field a batch needs: its own blocks, and those that its cells, the gradients at
// their corners and the vertices of adjacent blocks read; one invocation per block. pass.constant 0: all
// blocks are its own.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(super_blocks);
READ_ANY(children);
READ_ANY(blocks);
WRITE_OWN(block_slots);
#include "mesh/blocks.glsl"

bool in_batch(uint block) { return block >= params.batch_first && block < params.batch_end; }

bool batch_reads_block(ivec3 at)
{
    ivec3 d;
    for (d.z = -2; d.z <= 1; d.z++)
        for (d.y = -2; d.y <= 1; d.y++)
            for (d.x = -2; d.x <= 1; d.x++) {
                uint other = mesh_find_block(at + d);
                if (other != MESH_NOT_FOUND && in_batch(other)) return true;
            }
    return false;
}

void main()
{
    uint i = invocation_index();
    if (i > params.block_count) return;
    bool needed = i < state.block_count && in_batch(i);
    if (!needed && pass.constant != 0u && i < state.block_count) needed = batch_reads_block(blocks[i].xyz);
    block_slots[i] = needed ? 1u : 0u;
}
