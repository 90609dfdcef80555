// Sets every segment's mark to zero.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_kernel.glsl"

BLOCK(state);
OWN_WRITE(segments);

void main()
{
    uint i = row_index();
    if (i < state.segment_scan) segments[i] = 0u;
}
