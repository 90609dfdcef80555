// Lists the blocks whose field is held, one for each seat; and writes the size of the dispatch over them.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
WRITE_ANY(state);
READ_ANY(seats);
WRITE_ANY(seat_blocks);

void main()
{
    uint i = row_index();
    if (i > params.block_count) return;
    uint seat = seats[i];
    if (i < params.block_count) {
        if (seats[i + 1u] != seat) seat_blocks[seat] = i;
        return;
    }
    uvec2 size = mesh_dispatch(seat);
    state.seat_count = seat;
    state.held[0] = size.x;
    state.held[1] = size.y;
    state.held[2] = 1u;
}
