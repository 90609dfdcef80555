// Reports the marks of the finest level's blocks to the host, or replaces them by those of all ranks
// (pass.constant: RANK_CELLS_); one invocation per four table entries, which share a word.
#version 460
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(status);
BLOCK(multigrid);
UPDATE_ANY(block_marks);
UPDATE_ANY(rank_marks);

void main()
{
    uint k = invocation_index(), first = multigrid.cells[0].w, count = multigrid.tables[0].w;
    RETURN_IF_HALTED(4u * k >= count);
    bool applies = pass.constant == RANK_CELLS_APPLY;
    uint word = applies ? rank_marks[k] : 0u;
    for (uint c = 0u; c < 4u && 4u * k + c < count; c++) {
        uint entry = first + 4u * k + c;
        if (applies) block_marks[entry] = min(word >> (8u * c) & 255u, 1u);
        else word |= min(block_marks[entry], 1u) << (8u * c);
    }
    if (!applies) rank_marks[k] = word;
}
