// Copies every point of the fluid to its index in the sorted order.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "foam.glsl"

BLOCK(state);
GATHER(sources);
GATHER(points);
GATHER(velocities);
GATHER(ids);
SCATTER(sorted_points);
SCATTER(sorted_velocities);

void main()
{
    uint i = row_index();
    if (i >= state.live) return;
    uint from = sources[i];
    sorted_points[i] = vec4(points[from].xyz, uintBitsToFloat(ids[from]));
    sorted_velocities[i] = vec4(velocities[from].xyz, 0.0);
}
