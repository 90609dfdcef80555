// Copies every particle to its index in the sorted order.
#version 460
#include "bindings/probe.glsl"

BLOCK(state);
READ_ANY(sources);
READ_ANY(points);
READ_ANY(velocities);
READ_ANY(densities);
WRITE_ANY(sorted_points);
WRITE_ANY(sorted_flows);

void main()
{
    uint i = row_index();
    if (i >= state.live) return;
    uint from = sources[i];
    sorted_points[i] = vec4(points[from].xyz, 0.0);
    sorted_flows[i] = vec4(velocities[from].xyz, densities[from]);
}
