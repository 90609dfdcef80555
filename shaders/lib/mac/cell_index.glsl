// Finds the storage index of a cell.
// Buffers: multigrid, slots, blocks.
#ifndef MAC_CELL_INDEX_GLSL
#define MAC_CELL_INDEX_GLSL
#include "poisson/blocks.glsl"

// The index of a cell of the domain; POISSON_NONE where its block is not active.
uint cell_index(uvec3 at)
{
    uint block = block_slots[poisson_block_entry(0u, at / POISSON_BLOCK_EDGE)];
    return block == POISSON_NONE ? block : block * POISSON_BLOCK_CELLS + poisson_cell_index(at % POISSON_BLOCK_EDGE);
}
#endif
