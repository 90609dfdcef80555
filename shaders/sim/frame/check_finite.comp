// Marks a substep as broken if more than one particle in a hundred has become non-finite since the start of
// the run; one invocation. The flag stops all later passes, and the state remains that of the last complete
// substep.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);
BLOCK(status);
#include "particles/too_many_lost.glsl"

void main()
{
    if (invocation_index() != 0u || status.running == 0u || state.flags != 0u) return;
    if (too_many_lost()) state.flags |= SIM_FLAG_NON_FINITE;
}
