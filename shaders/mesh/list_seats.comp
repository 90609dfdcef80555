// Lists the blocks whose field is held, one for each seat.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "mesh.glsl"

BLOCK(params);
GATHER(seats);
SCATTER(seat_blocks);

void main()
{
    uint i = row_index();
    if (i >= params.block_count) return;
    uint seat = seats[i];
    if (seats[i + 1u] != seat) seat_blocks[seat] = i;
}
