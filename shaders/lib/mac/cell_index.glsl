// Finds the storage index of a cell of the MAC grid.
// Buffers: multigrid, block_slots, blocks.
#ifndef MAC_CELL_INDEX_GLSL
#define MAC_CELL_INDEX_GLSL
#include "poisson/blocks.glsl"

// Returns the index of a cell of the domain; POISSON_NONE if its block is not active.
uint cell_index(uvec3 at)
{
    uint block = block_slots[poisson_block_entry(0u, at / POISSON_BLOCK_EDGE)];
    return block == POISSON_NONE
               ? block
               : block * POISSON_BLOCK_CELLS + poisson_cell_index(at % POISSON_BLOCK_EDGE);
}
#endif
