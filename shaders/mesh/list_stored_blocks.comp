// Lists the blocks whose field is stored, one per slot, and writes the dispatch size over them; one
// invocation per block.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
WRITE_ANY(state);
READ_ANY(block_slots);
WRITE_ANY(slot_blocks);

void main()
{
    uint i = invocation_index();
    if (i > params.block_count) return;
    uint slot = block_slots[i];
    if (i < params.block_count) {
        if (block_slots[i + 1u] != slot) slot_blocks[slot] = i;
        return;
    }
    uvec2 size = mesh_fold_dispatch(slot);
    state.slot_count = slot;
    state.slot_dispatch[0] = size.x;
    state.slot_dispatch[1] = size.y;
    state.slot_dispatch[2] = 1u;
}
