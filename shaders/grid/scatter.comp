// Puts every particle's index and id into its cell's range, in the order of the ranks.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
READ_OWN(keys);
READ_OWN(ranks);
READ_ANY(segments);
READ_ANY(cell_starts);
READ_OWN(ids); // bound to anything BY_INDEX
WRITE_ANY(entries);

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.count);
    uint key = keys[i];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    entries[cell_starts[cell] + ranks[i]] = uvec2(i, BY_INDEX ? i : ids[i]);
}
