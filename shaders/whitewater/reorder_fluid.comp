// Copies every fluid particle to its index in the sorted order; one invocation per particle.
#version 460
#include "bindings/whitewater.glsl"

BLOCK(state);
READ_ANY(sources);
READ_ANY(points);
READ_ANY(velocities);
READ_ANY(ids);
WRITE_ANY(sorted_points);
WRITE_ANY(sorted_velocities);

void main()
{
    uint i = invocation_index();
    if (i >= state.live) return;
    uint from = sources[i];
    sorted_points[i] = vec4(points[from].xyz, uintBitsToFloat(ids[from]));
    sorted_velocities[i] = vec4(velocities[from].xyz, 0.0);
}
