// Sets the counters of all active cells to zero.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_kernel.glsl"

BLOCK(state);
OWN_WRITE(cell_starts);

void main()
{
    uint i = row_index();
    if (i < state.cell_scan) cell_starts[i] = 0u;
}
