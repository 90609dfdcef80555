// Sets the dispatch sizes of passes over bins.
// Buffers: grid, state.
#ifndef NEIGHBOURS_BIN_ARGUMENTS_GLSL
#define NEIGHBOURS_BIN_ARGUMENTS_GLSL

// Counts the active segments, and checks whether the bin table has room for them. No particle is live until
// sort_within_bins.comp has counted them.
void set_bin_arguments(uint active_count)
{
    state.active_segments = active_count;
    if (active_count > grid.segment_capacity) {
        state.flags |= GRID_OVERFLOW_SEGMENTS;
        state.needed_segments = max(state.needed_segments, active_count);
    }
    uint bins = active_count == 0u || state.flags != 0u ? 0u : active_count * GRID_SEGMENT_BINS + 1u;
    uvec2 size = grid_dispatch((bins + GRID_SCAN_TILE - 1u) / GRID_SCAN_TILE);
    state.bin_scan_length = bins;
    state.live = state.near = state.held = 0u;
    for (uint k = GRID_ARGS_LIVE; k < GRID_ARGS_COUNT; k++) {
        state.arguments[k * 3u] = 0u;
        state.arguments[k * 3u + 1u] = 1u;
        state.arguments[k * 3u + 2u] = 1u;
    }
    state.arguments[GRID_ARGS_BIN_TILES * 3u] = size.x;
    state.arguments[GRID_ARGS_BIN_TILES * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_BIN_TILES * 3u + 2u] = 1u;
}
#endif
