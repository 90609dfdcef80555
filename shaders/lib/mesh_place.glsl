// Where the field of a block is held. Needs mesh_find.glsl and places[].

uint mesh_find_place(ivec3 at)
{
    uint block = mesh_find_block(at);
    if (block == MESH_NONE) return MESH_NONE;
    uint place = places[block];
    return places[block + 1u] != place ? place : MESH_NONE;
}
