// Counts the particles of every active cell. The counter's old value is the particle's rank in its cell; this
// order differs from run to run until order.comp replaces it.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
READ_OWN(keys);
WRITE_OWN(ranks);
READ_ANY(segments);
ATOMIC(cell_starts);

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.count);
    uint key = keys[i];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    ranks[i] = atomicAdd(cell_starts[cell], 1u);
}
