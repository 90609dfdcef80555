// Records the iterations and the final error of the pressure solve in the status; one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
BLOCK(solve);

void main()
{
    if (invocation_index() != 0u || status.running == 0u || state.flags != 0u) return;
    status.iterations = solve.iterations;
    status.unconverged = 1u - solve.done;
    status.error_max = solve.source > 0.0 ? solve.error / solve.source : 0.0;
}
