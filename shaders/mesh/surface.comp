// Marks the held blocks that have cells with corners on both sides of the surface. A block's cells have their
// corners in it and in the seven blocks towards +x, +y, +z; a block that is not active counts as outside.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(supers);
READ_ANY(children);
READ_ANY(blocks);
READ_ANY(seats);
READ_ANY(seat_blocks);
READ_ANY(signs);
WRITE_OWN(surface);
#include "mesh/surface.glsl"

void main()
{
    uint i = row_index();
    if (i > params.seat_count) return;
    uint seen = 0u;
    if (i < state.seat_count) {
        ivec3 at = blocks[seat_blocks[i]].xyz;
        for (uint k = 0u; k < 8u; k++) {
            uint seat = mesh_find_seat(at + ivec3(k & 1u, k >> 1 & 1u, k >> 2));
            seen |= seat == MESH_NONE ? MESH_HAS_OUTSIDE : signs[seat];
        }
    }
    surface[i] = seen == (MESH_HAS_INSIDE | MESH_HAS_OUTSIDE) ? 1u : 0u;
}
