// Copies every point to its index in the sorted order; one invocation per point.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
READ_ANY(sort_sources);
READ_ANY(points);
WRITE_ANY(sorted_points);

void main()
{
    uint i = invocation_index();
    if (i < state.live) sorted_points[i] = points[sort_sources[i]];
}
