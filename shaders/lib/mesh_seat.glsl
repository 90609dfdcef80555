// Where the field of a block is held. Needs mesh_find.glsl and seats[].

uint mesh_find_seat(ivec3 at)
{
    uint block = mesh_find_block(at);
    if (block == MESH_NONE) return MESH_NONE;
    uint seat = seats[block];
    return seats[block + 1u] != seat ? seat : MESH_NONE;
}
