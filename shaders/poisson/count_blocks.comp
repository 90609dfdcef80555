// One invocation: how many blocks each level has, whether the buffers have room for them, and the dispatch
// sizes of the rows over a level.
#version 460
#define WORKGROUP 1
#include "bindings/poisson.glsl"

REDUCTION(solve);
REDUCTION(state);
READ_ANY(marks);
#include "poisson/dispatch.glsl"

void main()
{
    if (row_index() != 0u) return;
    bool stopped = state.flags != 0u;
    uint levels = multigrid.levels, all = stopped ? 0u : marks[multigrid.entries];
    if (all > multigrid.capacity) {
        state.flags |= GRID_OVERFLOW_BLOCKS;
        state.needed_blocks = max(state.needed_blocks, all);
        stopped = true;
    }
    for (uint level = 0u; level < POISSON_LEVELS; level++) {
        uint first = level < levels && !stopped ? marks[multigrid.cells[level].w] : all;
        solve.firsts[level] = stopped ? 0u : first;
    }
    solve.firsts[POISSON_LEVELS] = stopped ? 0u : all;
    arm_levels();
    arm_one(POISSON_LEVELS, 0u);
}
