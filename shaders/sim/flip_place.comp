// Finds the particles that are dead: outside an open side, in a sink, or not a finite number.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_OWN(positions);
WRITE_OWN(predictions);
READ_SOLIDS();
#include "boundary/boundary.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.count);
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
