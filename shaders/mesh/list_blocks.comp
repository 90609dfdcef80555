// Lists the active blocks in order, each with its lattice coordinates. The last invocation writes how many
// there are: none where they, or the particles, have no room.
// row.constant: children of all active super blocks.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
READ_ANY(children);
READ_ANY(super_list);
WRITE_ANY(blocks);
ATOMIC(state);

void main()
{
    uint i = row_index();
    if (i > row.constant) return;
    uint number = children[i];
    if (i == row.constant) {
        state.block_count = state.astray == 0u && number <= params.block_count ? number : 0u;
        return;
    }
    if (children[i + 1u] == number || number >= params.block_count) return;
    uint at = super_list[i / MESH_CHILDREN];
    uvec3 s = uvec3(at % params.supers_x, at / params.supers_x % params.supers_y,
                    at / (params.supers_x * params.supers_y));
    blocks[number] = ivec4(ivec3(s) * 8 + mesh_node(i % MESH_CHILDREN), 0);
}
