// Copies every particle to its index in the sorted order; one invocation per particle.
#version 460
#include "bindings/probe.glsl"

BLOCK(state);
READ_ANY(sources);
READ_ANY(points);
READ_ANY(velocities);
READ_ANY(densities);
WRITE_ANY(sorted_points);
WRITE_ANY(sorted_attributes);

void main()
{
    uint i = invocation_index();
    if (i >= state.live) return;
    uint from = sources[i];
    sorted_points[i] = vec4(points[from].xyz, 0.0);
    sorted_attributes[i] = vec4(velocities[from].xyz, densities[from]);
}
