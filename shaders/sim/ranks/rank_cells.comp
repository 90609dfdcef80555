// Reports the sums of the long-range correction's cells to the host, or replaces them by those of all ranks
// (pass.constant: RANK_CELLS_); one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
UPDATE_ANY(long_range_sums);
UPDATE_ANY(rank_cells);
#include "poisson/level.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        if (pass.constant == RANK_CELLS_APPLY) long_range_sums[i] = rank_cells[i];
        else rank_cells[i] = long_range_sums[i];
    }
}
