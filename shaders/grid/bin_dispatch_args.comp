// Counts the active segments, checks whether the bin table has room for them, and sets the dispatch sizes of
// passes over bins; one invocation. No particle is live until sort_within_bins.comp has counted them.
#version 460
#define WORKGROUP 1
#include "bindings/grid.glsl"

BLOCK(grid);
REDUCTION(state);
READ_ANY(segments);

void set_arguments(uint which, uint groups)
{
    uvec2 size = grid_dispatch(groups);
    state.arguments[which * 3u] = size.x;
    state.arguments[which * 3u + 1u] = size.y;
    state.arguments[which * 3u + 2u] = 1u;
}

void main()
{
    if (invocation_index() != 0u) return;
    uint active_count = state.flags != 0u || state.count == 0u ? 0u : segments[grid.segment_count + 1u];
    state.active_segments = active_count;
    if (active_count > grid.segment_capacity) {
        state.flags |= GRID_OVERFLOW_SEGMENTS;
        state.needed_segments = max(state.needed_segments, active_count);
    }
    uint cells = active_count == 0u || state.flags != 0u ? 0u : active_count * GRID_SEGMENT_BINS + 1u;
    state.bin_scan_length = cells;
    state.live = 0u;
    set_arguments(GRID_ARGS_LIVE, 0u);
    set_arguments(GRID_ARGS_BINS, (cells + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    set_arguments(GRID_ARGS_BIN_TILES, (cells + GRID_SCAN_TILE - 1u) / GRID_SCAN_TILE);
}
