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
BLOCK(parts);

// Returns the number of particles before a segment.
uint segment_start(uint segment) { return bin_starts[segments[segment] * GRID_SEGMENT_BINS]; }

// Returns the number of particles in the first `count` parts.
uint particles_in_parts(uint count, uint held)
{
    return count == parts.held ? held : segment_start(parts.items[count].first_segment);
}

// Returns the number of own particles in the edges of both sides: src/grid/parts.h.
uint count_edges(uint held)
{
    uint left = particles_in_parts(3u, held) - particles_in_parts(1u, held);
    uint right = particles_in_parts(parts.own, held) - particles_in_parts(parts.own - 2u, held);
    return (parts.has_left != 0u ? left : 0u) + (parts.has_right != 0u ? right : 0u);
}

void set_dispatch(uint arguments, uint count)
{
    uvec2 size = grid_dispatch((count + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    state.arguments[arguments * 3u] = size.x;
    state.arguments[arguments * 3u + 1u] = size.y;
}

// Sets the number of live particles and their dispatch size, both 0 after bin_dispatch_args.comp; the same
// for those that a rank holds.
void count_live()
{
    uint held = segment_start(grid.segment_count); // of the first bin of dead particles
    state.live = state.near = state.held = held;
    if (!CUT) {
        state.everyone = held; // ranks add theirs in the migration
    } else {
        for (uint k = 0u; k < GRID_PARTS_MAX; k++)
            state.part_starts[k] = k < parts.held ? particles_in_parts(k, held) : held;
        state.live = particles_in_parts(parts.own, held);
        state.near = particles_in_parts(parts.near, held);
        set_dispatch(GRID_ARGS_EDGES, count_edges(held));
        set_dispatch(GRID_ARGS_GHOSTS, held - state.live);
    }
    set_dispatch(GRID_ARGS_LIVE, state.live);
    set_dispatch(GRID_ARGS_NEAR, state.near);
    set_dispatch(GRID_ARGS_HELD, held);
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
