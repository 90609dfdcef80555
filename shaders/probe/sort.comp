// Copies every particle to its index in the sorted order.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "probe.glsl"

BLOCK(state);
GATHER(sources);
GATHER(points);
GATHER(velocities);
GATHER(densities);
SCATTER(sorted_points);
SCATTER(sorted_flows);

void main()
{
    uint i = row_index();
    if (i >= state.live) return;
    uint from = sources[i];
    sorted_points[i] = vec4(points[from].xyz, 0.0);
    sorted_flows[i] = vec4(velocities[from].xyz, densities[from]);
}
