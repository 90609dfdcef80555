// Records the iterations and the final error of the pressure solve in the status; one invocation. If
// the host has recorded fewer iterations than the pass.constant that are allowed, and the solve needs more, a
// flag stops the frame.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);
REDUCTION(status);
BLOCK(solve);

void main()
{
    if (invocation_index() != 0u || status.running == 0u || state.flags != 0u) return;
    status.iterations = solve.iterations;
    status.solve_repetitions = max(status.solve_repetitions, solve.iterations);
    if (solve.done == 0u && solve.iterations < pass.constant) state.flags |= SIM_FLAG_FRAME_UNFINISHED;
    status.unconverged = 1u - solve.done;
    status.error_max = solve.source > 0.0 ? solve.error / solve.source : 0.0;
}
