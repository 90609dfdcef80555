// Counts the blocks of each level, checks whether the buffers have room for them, and sets the dispatch sizes
// of passes over a level; one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/poisson.glsl"

REDUCTION(solve);
REDUCTION(state);
READ_ANY(block_marks);
#include "poisson/dispatch.glsl"

void main()
{
    if (invocation_index() != 0u) return;
    bool stopped = state.flags != 0u;
    uint levels = multigrid.levels, all = stopped ? 0u : block_marks[multigrid.entries];
    if (all > multigrid.capacity) {
        state.flags |= GRID_OVERFLOW_BLOCKS;
        state.needed_blocks = max(state.needed_blocks, all);
        stopped = true;
    }
    for (uint level = 0u; level < POISSON_MAX_LEVELS; level++) {
        uint first = level < levels && !stopped ? block_marks[multigrid.cells[level].w] : all;
        solve.firsts[level] = stopped ? 0u : first;
    }
    solve.firsts[POISSON_MAX_LEVELS] = stopped ? 0u : all;
    set_all_dispatch_args();
    set_level_dispatch_args(POISSON_MAX_LEVELS, 0u);
}
