// Counts the blocks of each level, checks whether the buffers have room for them, and sets the dispatch sizes
// of passes over a level.
// Buffers: solve (written), state (updated), multigrid, block_numbers.
#ifndef POISSON_COUNT_BLOCKS_GLSL
#define POISSON_COUNT_BLOCKS_GLSL
#include "poisson/dispatch.glsl"

// Called by one invocation, after block_numbers has been summed.
void count_blocks()
{
    bool stopped = state.flags != 0u;
    uint levels = multigrid.levels, all = stopped ? 0u : block_numbers[multigrid.entries];
    if (all > multigrid.capacity) {
        state.flags |= GRID_OVERFLOW_BLOCKS;
        state.needed_blocks = max(state.needed_blocks, all);
        stopped = true;
    }
    for (uint level = 0u; level < POISSON_MAX_LEVELS; level++) {
        uint first = level < levels && !stopped ? block_numbers[multigrid.cells[level].w] : all;
        solve.firsts[level] = stopped ? 0u : first;
    }
    solve.firsts[POISSON_MAX_LEVELS] = stopped ? 0u : all;
    set_all_dispatch_args();
    set_level_dispatch_args(POISSON_MAX_LEVELS, 0u);
    solve.arguments[POISSON_MAX_LEVELS * 3u] = max(solve.arguments[POISSON_MAX_LEVELS * 3u], 1u);
    solve.arrived = 0u;
}
#endif
