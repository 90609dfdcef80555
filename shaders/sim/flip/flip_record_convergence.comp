// Records the iterations and the final error of the pressure solve in the status; one invocation. A flag
// stops all later passes if the solve needs more iterations than the host has recorded, which are fewer than
// the pass.constant that are allowed; or if too many particles have become non-finite, as in
// check_finite.comp.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);
REDUCTION(status);
BLOCK(solve);
#include "particles/too_many_lost.glsl"

void main()
{
    if (invocation_index() != 0u || status.running == 0u || state.flags != 0u) return;
    status.iterations = solve.iterations;
    status.solve_repetitions = max(status.solve_repetitions, solve.iterations);
    if (too_many_lost()) state.flags |= SIM_FLAG_NON_FINITE;
    if (solve.done == 0u && solve.iterations < pass.constant) state.flags |= SIM_FLAG_FRAME_UNFINISHED;
    status.unconverged = 1u - solve.done;
    status.error_max = solve.source > 0.0 ? solve.error / solve.source : 0.0;
}
