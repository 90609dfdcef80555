// Marks a substep as broken if more than one particle in a hundred has become non-finite since the start of
// the run; one invocation. The flag stops all later passes, and the state remains that of the last complete
// substep.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);
BLOCK(status);

void main()
{
    if (invocation_index() != 0u || status.running == 0u || state.flags != 0u) return;
    uint lost = status.solve_non_finite + status.total_non_finite + status.non_finite;
    if (lost * 100u > status.count) state.flags |= SIM_FLAG_NON_FINITE;
}
