// Sorts every bin's particles by id, or by index; one invocation per particle. The result is that of a stable
// sort by (bin, id), whatever the timing of the counters. The first invocation also counts the particles
// before the dead ones, and sets the dispatch size over them.
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
UPDATE_ANY(state);
READ_ANY(bin_keys);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_ANY(unsorted_entries);
WRITE_ANY(sort_sources);

// Sets the number of live particles and their dispatch size, both 0 after bin_dispatch_args.comp.
void count_live()
{
    // start of the first bin of dead particles
    uint live = bin_starts[segments[grid.segment_count] * GRID_SEGMENT_BINS];
    uvec2 size = grid_dispatch((live + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    state.live = live;
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
}

void main()
{
    uint t = invocation_index();
    RETURN_IF_BROKEN(t >= state.count);
    if (t == 0u) count_live();
    uvec2 mine = unsorted_entries[t];
    uint key = bin_keys[mine.x];
    uint cell = segments[key / GRID_SEGMENT_BINS] * GRID_SEGMENT_BINS + key % GRID_SEGMENT_BINS;
    uint first = bin_starts[cell], last = min(bin_starts[cell + 1u], first + 65000u);
    uint to = first;
    for (uint k = first; k < last; k++) to += unsorted_entries[k].y < mine.y ? 1u : 0u;
    sort_sources[to] = mine.x;
}
