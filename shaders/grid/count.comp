// Counts the particles of every active cell; the counter's old value is the particle's rank in its
// cell, in an order that differs from run to run until the order kernel mends it.
// Reads keys, segments; adds to cells; writes ranks.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_kernel.glsl"

BLOCK(state);
OWN_READ(keys);
OWN_WRITE(ranks);
GATHER(segments);
ATOMIC(cells);

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    uint key = keys[i];
    uint cell = segments[key / GRID_SEGMENT_CELLS] * GRID_SEGMENT_CELLS + key % GRID_SEGMENT_CELLS;
    ranks[i] = atomicAdd(cells[cell], 1u);
}
