// One invocation: what the solve of the pressure came to.
#version 460
#define WORKGROUP 1
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
REDUCE(status);
BLOCK(solve);

void main()
{
    if (row_index() != 0u || status.running == 0u || state.flags != 0u) return;
    status.iterations = solve.iterations;
    status.missed = 1u - solve.done;
    status.error_max = solve.source > 0.0 ? solve.error / solve.source : 0.0;
}
