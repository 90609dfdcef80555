// Appends the particles received from both neighbours to the rank's own; one invocation per received
// particle. pass.constant is the room for records from one neighbour.
#version 460
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(status);
BLOCK(halo_reply);
READ_ANY(halo_received);
WRITE_ANY(positions);
WRITE_ANY(velocities);
WRITE_ANY(predicted_positions);
WRITE_ANY(ids);
WRITE_ANY(clearances);
WRITE_ANY(gauge_accumulators);

void main()
{
    uint k = invocation_index(), left = halo_reply.received_left;
    RETURN_IF_HALTED(k >= left + halo_reply.received_right);
    uint i = halo_reply.first + k;
    uint at = (k < left ? k : pass.constant + k - left) * RANK_RECORD_VECTORS;
    positions[i] = ivec4(halo_received[at]);
    predicted_positions[i] = ivec4(halo_received[at + 1u]);
    velocities[i] = uintBitsToFloat(halo_received[at + 2u]);
    uvec4 rest = halo_received[at + 3u];
    ids[i] = rest.x;
    if (HAS_SOLIDS) clearances[i] = uintBitsToFloat(rest.y);
    for (uint g = 0u; g < GAUGE_VECTORS; g++) gauge_accumulators[i * GAUGE_VECTORS + g] = vec4(0.0);
}
