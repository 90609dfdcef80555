// Clears the counters of all active bins; one invocation per bin.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
WRITE_OWN(bin_starts);

void main()
{
    uint i = invocation_index();
    if (i < state.bin_scan_length) bin_starts[i] = 0u;
}
