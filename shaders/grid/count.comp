// Counts the particles of every active cell. The counter's old value is the particle's rank in its cell; this
// order differs from run to run until order.comp replaces it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_kernel.glsl"

BLOCK(state);
OWN_READ(keys);
OWN_WRITE(ranks);
GATHER(segments);
ATOMIC(cell_starts);

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    uint key = keys[i];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    ranks[i] = atomicAdd(cell_starts[cell], 1u);
}
