// Blocks and cells of shaders/shared/poisson.h. Needs `multigrid` and `blocks`.

// The entry of a block in the marks.
uint poisson_entry(uint level, uvec3 at)
{
    uvec3 size = multigrid.tables[level].xyz;
    return multigrid.cells[level].w + at.x + size.x * (at.y + size.y * at.z);
}

uvec3 poisson_local(uint cell) { return uvec3(cell, cell >> 3u, cell >> 6u) & 7u; }
uint poisson_flat(uvec3 local) { return local.x + (local.y << 3u) + (local.z << 6u); }

// 1 along axes on which the level above has half the cells.
uvec3 poisson_halved(uint level) { return uvec3(greaterThan(multigrid.cells[level].xyz, uvec3(1u))); }

// The distance in cells from the middle of a cell of fluid to the surface towards a cell of air, by the level
// sets of both (Gibou and others 2002).
float poisson_theta(float fluid, float air) { return max(fluid / (fluid - air), POISSON_THETA_LEAST); }

// The cell next to cell `cell` of a block, -x +x -y +y -z +z; POISSON_NONE where no block is active or the
// level ends.
uint poisson_beside(uint block, uint cell, uint side)
{
    uint axis = side >> 1, shift = 3u * axis, local = cell >> shift & 7u;
    uvec4 at = blocks[block].at;
    uint last = multigrid.cells[at.w][axis] - 1u, place = at[axis] * POISSON_EDGE + local;
    bool up = (side & 1u) != 0u;
    bool leaves = up ? local == 7u || place == last : local == 0u;
    if (!leaves) return block * POISSON_CELLS + (up ? cell + (1u << shift) : cell - (1u << shift));
    uint next = blocks[block].neighbours[side];
    if (next == POISSON_NONE) return POISSON_NONE;
    uint other = up ? 0u : place == 0u ? last & 7u : 7u;
    return next * POISSON_CELLS + cell - (local << shift) + (other << shift);
}
