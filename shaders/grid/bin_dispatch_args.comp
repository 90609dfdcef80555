// Sparse grids: counts the active segments, and sets the dispatch sizes of passes over bins; one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/grid.glsl"

BLOCK(grid);
REDUCTION(state);
READ_ANY(segments);
#include "neighbours/bin_arguments.glsl"

void main()
{
    if (invocation_index() != 0u) return;
    set_bin_arguments(state.flags != 0u || state.count == 0u ? 0u : segments[grid.segment_count + 1u]);
}
