// Copies every point to its index in the sorted order.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
READ_ANY(sources);
READ_ANY(points);
WRITE_ANY(sorted_points);

void main()
{
    uint i = row_index();
    if (i < state.live) sorted_points[i] = points[sources[i]];
}
