// Marks the particles to remove: those beyond an open side, inside a sink, or with a non-finite position. One
// invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_OWN(positions);
WRITE_OWN(predicted_positions);
READ_SOLIDS();
#include "boundary/boundary.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.count);
    ivec3 p = positions[i].xyz;
    float alive = 1.0;
    if (p.x == SIM_INVALID_POSITION) {
        alive = -1.0;
        p = params.fixed_min.xyz;
        atomicAdd(status.non_finite, 1u);
    } else if (has_left_domain(p)) {
        alive = -1.0;
        atomicAdd(status.escaped, 1u);
    } else if (is_in_sink(fixed_to_metres(p))) {
        alive = -1.0;
        atomicAdd(status.removed_by_sinks, 1u);
    }
    predicted_positions[i] = ivec4(p, floatBitsToInt(alive));
}
