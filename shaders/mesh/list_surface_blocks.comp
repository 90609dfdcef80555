// Lists the surface blocks and writes the dispatch size over them; one invocation per slot.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
WRITE_ANY(state);
READ_ANY(surface_blocks);
WRITE_ANY(surface_block_list);

void main()
{
    uint i = invocation_index();
    if (i > params.slot_count) return;
    uint number = surface_blocks[i];
    if (i < params.slot_count) {
        if (surface_blocks[i + 1u] != number) surface_block_list[number] = i;
        return;
    }
    uvec2 size = mesh_fold_dispatch(number);
    state.surface_count = number;
    state.surface_dispatch[0] = size.x;
    state.surface_dispatch[1] = size.y;
    state.surface_dispatch[2] = 1u;
}
