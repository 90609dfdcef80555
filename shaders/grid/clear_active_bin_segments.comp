// Clears the mark of every segment; one invocation per segment.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
WRITE_OWN(segments);

void main()
{
    uint i = invocation_index();
    if (i < state.segment_scan_length) segments[i] = 0u;
}
