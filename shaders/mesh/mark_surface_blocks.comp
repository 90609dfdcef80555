// Marks the stored blocks that have cells with corners on both sides of the surface; one invocation per slot.
// A block's cells have their corners in it and in the seven blocks towards +x, +y, +z; a block that is not
// active counts as outside.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(super_blocks);
READ_ANY(children);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(slot_blocks);
READ_ANY(block_signs);
WRITE_OWN(surface_blocks);
#include "mesh/surface.glsl"

void main()
{
    uint i = invocation_index();
    if (i > params.slot_count) return;
    uint seen = 0u;
    if (i < state.slot_count) {
        ivec3 at = blocks[slot_blocks[i]].xyz;
        for (uint k = 0u; k < 8u; k++) {
            uint slot = mesh_find_slot(at + ivec3(k & 1u, k >> 1 & 1u, k >> 2));
            seen |= slot == MESH_NOT_FOUND ? MESH_HAS_OUTSIDE : block_signs[slot];
        }
    }
    surface_blocks[i] = seen == (MESH_HAS_INSIDE | MESH_HAS_OUTSIDE) ? 1u : 0u;
}
