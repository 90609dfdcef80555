// Marks the blocks whose field a slab needs: its own, and the blocks that its cells, the gradients at their
// corners and the vertices of the next blocks read. row.constant 0: all blocks are its own.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(supers);
READ_ANY(children);
READ_ANY(blocks);
WRITE_OWN(seats);
#include "mesh/blocks.glsl"

bool own(uint block) { return block >= params.slab_first && block < params.slab_end; }

bool near_own(ivec3 at)
{
    ivec3 d;
    for (d.z = -2; d.z <= 1; d.z++)
        for (d.y = -2; d.y <= 1; d.y++)
            for (d.x = -2; d.x <= 1; d.x++) {
                uint other = mesh_find_block(at + d);
                if (other != MESH_NONE && own(other)) return true;
            }
    return false;
}

void main()
{
    uint i = row_index();
    if (i > params.block_count) return;
    bool needed = i < state.block_count && own(i);
    if (!needed && row.constant != 0u && i < state.block_count) needed = near_own(blocks[i].xyz);
    seats[i] = needed ? 1u : 0u;
}
