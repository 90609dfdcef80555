// Numbers the cells beside the sides of a block, POISSON_SIDE_CELLS per side, for shaders that keep values of
// them in shared memory.
// Buffers: multigrid, blocks.
#ifndef POISSON_BORDER_GLSL
#define POISSON_BORDER_GLSL
#include "poisson/blocks.glsl"

const uint POISSON_SIDE_CELLS = POISSON_BLOCK_EDGE * POISSON_BLOCK_EDGE;

// Returns the cell of a block whose neighbour across a side is number `k` beside that side.
uint border_cell(uint block, uint side, uint k)
{
    uint axis = side >> 1, shift = 3u * axis, low = k & ((1u << shift) - 1u), high = k >> shift;
    uvec4 at = blocks[block].at;
    uint last = multigrid.cells[at.w][axis] - 1u - at[axis] * POISSON_BLOCK_EDGE;
    uint local = (side & 1u) != 0u ? min(last, POISSON_BLOCK_EDGE - 1u) : 0u;
    return low | local << shift | high << shift + 3u;
}

// Returns the number, among those beside all sides, of the neighbour of a cell across a side.
uint border_index(uint cell, uint side)
{
    uint shift = 3u * (side >> 1), k = cell & ((1u << shift) - 1u) | cell >> shift + 3u << shift;
    return side * POISSON_SIDE_CELLS + k;
}
#endif
