// Sets the counters of all active cells to zero.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
WRITE_OWN(cell_starts);

void main()
{
    uint i = row_index();
    if (i < state.cell_scan) cell_starts[i] = 0u;
}
