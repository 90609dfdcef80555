// Finds neighbours, children and parents of cells in the blocks of shaders/shared/poisson.h.
// Buffers: multigrid, blocks.
#ifndef POISSON_BLOCKS_GLSL
#define POISSON_BLOCKS_GLSL

// Returns the table entry of a block.
uint poisson_block_entry(uint level, uvec3 at)
{
    uvec3 size = multigrid.tables[level].xyz;
    return multigrid.cells[level].w + at.x + size.x * (at.y + size.y * at.z);
}

uvec3 poisson_cell_coordinates(uint cell) { return uvec3(cell, cell >> 3u, cell >> 6u) & 7u; }
uint poisson_cell_index(uvec3 local) { return local.x + (local.y << 3u) + (local.z << 6u); }

// Returns 1 along axes on which the level above has half as many cells.
uvec3 poisson_coarsened_axes(uint level) { return uvec3(greaterThan(multigrid.cells[level].xyz, uvec3(1u))); }

// Returns the distance, in cells, from the centre of a fluid cell to the surface towards an air cell, from
// the level sets of both (Gibou et al. 2002).
float poisson_surface_fraction(float fluid, float air)
{
    return max(fluid / (fluid - air), POISSON_MIN_THETA);
}

// Returns the neighbour of cell `cell` of a block; sides are -x +x -y +y -z +z. POISSON_NONE if its block is
// not active or the level ends.
uint poisson_neighbour_cell(uint block, uint cell, uint side)
{
    uint axis = side >> 1, shift = 3u * axis, local = cell >> shift & 7u;
    uvec4 at = blocks[block].at;
    uint last = multigrid.cells[at.w][axis] - 1u, place = at[axis] * POISSON_BLOCK_EDGE + local;
    bool up = (side & 1u) != 0u;
    bool leaves = up ? local == 7u || place == last : local == 0u;
    if (!leaves) return block * POISSON_BLOCK_CELLS + (up ? cell + (1u << shift) : cell - (1u << shift));
    uint next = blocks[block].neighbours[side];
    if (next == POISSON_NONE) return POISSON_NONE;
    uint other = up ? 0u : place == 0u ? last & 7u : 7u;
    return next * POISSON_BLOCK_CELLS + cell - (local << shift) + (other << shift);
}

// Returns child 0 to 7, x fastest, of a cell of a block on `level`; POISSON_NONE if there is none.
uint fine_cell(uint block, uint cell, uint level, uint child)
{
    uvec3 halved = poisson_coarsened_axes(level - 1u), offset = uvec3(child, child >> 1, child >> 2) & 1u;
    if (any(greaterThan(offset, halved))) return POISSON_NONE;
    uvec3 below = (poisson_cell_coordinates(cell) << halved) + offset, octant = below >> 3u;
    uint at = blocks[block].children[octant.x + 2u * octant.y + 4u * octant.z];
    return at == POISSON_NONE ? POISSON_NONE : at * POISSON_BLOCK_CELLS + poisson_cell_index(below & 7u);
}

// Returns the parent of a cell of a block on `level`, which must not be the coarsest.
uint coarse_cell(uint block, uint cell, uint level)
{
    poisson_block own = blocks[block];
    uvec3 place = own.at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell);
    return own.parent * POISSON_BLOCK_CELLS +
           poisson_cell_index((place >> poisson_coarsened_axes(level)) & 7u);
}
#endif
