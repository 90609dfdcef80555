// The number of a block, by its place. Needs `params` (mesh_params), and supers[] and children[], which
// hold for every super block and every block of an active one how many active ones come before it.

uint mesh_find_super(uvec3 s)
{
    if (any(greaterThanEqual(s, uvec3(params.supers_x, params.supers_y, params.supers_z)))) return MESH_NONE;
    uint at = mesh_super(params, s);
    uint number = supers[at];
    return supers[at + 1u] != number ? number : MESH_NONE;
}

// MESH_NONE where no block is active. A place below 0 is a large one as an unsigned number.
uint mesh_find_block(ivec3 block)
{
    uvec3 b = uvec3(block);
    uint of_super = mesh_find_super(b >> 3);
    if (of_super == MESH_NONE) return MESH_NONE;
    uint at = of_super * MESH_CHILDREN + mesh_child(b);
    uint number = children[at];
    return children[at + 1u] != number ? number : MESH_NONE;
}
