// Puts every particle's index and id into its cell's range, in the order of the ranks.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_kernel.glsl"

BLOCK(state);
OWN_READ(keys);
OWN_READ(ranks);
GATHER(segments);
GATHER(cell_starts);
OWN_READ(ids); // bound to anything BY_INDEX
SCATTER(entries);

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    uint key = keys[i];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    entries[cell_starts[cell] + ranks[i]] = uvec2(i, BY_INDEX ? i : ids[i]);
}
