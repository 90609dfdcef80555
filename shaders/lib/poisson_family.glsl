// From a cell to the cells below it and above it. Needs the functions of poisson.glsl.

// Child 0 to 7, x fastest, of a cell of a block on `level`; POISSON_NONE where there is none.
uint family_child(uint block, uint cell, uint level, uint child)
{
    uvec3 halved = poisson_halved(level - 1u), offset = uvec3(child, child >> 1, child >> 2) & 1u;
    if (any(greaterThan(offset, halved))) return POISSON_NONE;
    uvec3 below = (poisson_local(cell) << halved) + offset, octant = below >> 3u;
    uint at = blocks[block].children[octant.x + 2u * octant.y + 4u * octant.z];
    return at == POISSON_NONE ? POISSON_NONE : at * POISSON_CELLS + poisson_flat(below & 7u);
}

// The cell above a cell of a block on `level`, which is not the last.
uint family_parent(uint block, uint cell, uint level)
{
    poisson_block own = blocks[block];
    uvec3 place = own.at.xyz * POISSON_EDGE + poisson_local(cell);
    return own.parent * POISSON_CELLS + poisson_flat((place >> poisson_halved(level)) & 7u);
}
