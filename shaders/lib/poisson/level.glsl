// Finds the block of a workgroup in a pass over one level, which pass.constant selects.
// Buffers: multigrid, solve, blocks.
#ifndef POISSON_LEVEL_GLSL
#define POISSON_LEVEL_GLSL
#include "poisson/blocks.glsl"

// Returns the block of this workgroup; POISSON_NONE past the last, in a dispatch that folds into y.
uint workgroup_block(uint level)
{
    uint block = solve.firsts[level] + workgroup_index();
    return block < solve.firsts[level + 1u] ? block : POISSON_NONE;
}
#endif
