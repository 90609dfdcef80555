// Finds the bodies to which cells of the MAC grid are coupled.
// Buffers: rigid_coupling, blocks, multigrid.
#ifndef MAC_COUPLED_BODY_GLSL
#define MAC_COUPLED_BODY_GLSL
#include "poisson/blocks.glsl"

// Returns 1 + the body that a cell is coupled to; 0: none.
uint mac_coupled_body(uint i) { return HAS_BODIES && i != POISSON_NONE ? uint(rigid_coupling[i].w) : 0u; }

// Returns 1 + the body that one of the cells at the lower face of a cell is coupled to; 0: none.
uint mac_closing_body(uint block, uint cell, uint axis)
{
    uint own = mac_coupled_body(block * POISSON_BLOCK_CELLS + cell);
    return own != 0u ? own : mac_coupled_body(poisson_neighbour_cell(block, cell, 2u * axis));
}
#endif
