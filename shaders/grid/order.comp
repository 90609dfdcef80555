// Sorts every cell's particles by id, or by index. The sorted order is then that of a stable sort by
// (cell, id), whatever the timing of the counters was. The first invocation finds how many come before the
// dead, and the dispatch size over them.
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
UPDATE_ANY(state);
READ_ANY(keys);
READ_ANY(segments);
READ_ANY(cell_starts);
READ_ANY(entries);
WRITE_ANY(sources);

// cells_begin.comp has set both to none.
void count_live()
{
    uint live = cell_starts[segments[grid.segment_count] * GRID_SEGMENT_CELLS]; // the first cell of the dead
    uvec2 size = grid_dispatch((live + GROUP - 1u) / GROUP);
    state.live = live;
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
}

void main()
{
    uint t = row_index();
    RETURN_IF_BROKEN(t >= state.count);
    if (t == 0u) count_live();
    uvec2 mine = entries[t];
    uint key = keys[mine.x];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    uint first = cell_starts[cell], last = min(cell_starts[cell + 1u], first + 65000u);
    uint to = first;
    for (uint k = first; k < last; k++) to += entries[k].y < mine.y ? 1u : 0u;
    sources[to] = mine.x;
}
