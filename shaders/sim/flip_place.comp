// Finds the particles that are dead: outside an open side, in a sink, or not a finite number.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
ATOMIC(status);
OWN_READ(positions);
OWN_WRITE(predictions);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
#include "shape.glsl"
#include "wall.glsl"
#include "gone.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    ivec3 p = positions[i].xyz;
    float alive = 1.0;
    if (p.x == SIM_LOST) {
        alive = -1.0;
        p = params.fixed_min.xyz;
        atomicAdd(status.non_finite, 1u);
    } else if (gone_through_side(p)) {
        alive = -1.0;
        atomicAdd(status.escaped, 1u);
    } else if (gone_down_sink(fixed_metres(p))) {
        alive = -1.0;
        atomicAdd(status.sunk, 1u);
    }
    predictions[i] = ivec4(p, floatBitsToInt(alive));
}
