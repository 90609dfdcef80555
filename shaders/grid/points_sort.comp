// Copies every point to its index in the sorted order.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_kernel.glsl"

BLOCK(state);
GATHER(sources);
GATHER(points);
SCATTER(sorted_points);

void main()
{
    uint i = row_index();
    if (i < state.live) sorted_points[i] = points[sources[i]];
}
