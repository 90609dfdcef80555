// One invocation, between the density error of an iteration and its correction: ends the iterations when the
// error is within the tolerance or their number has reached its cap. The correction is then left out: the
// error is that of the positions which the substep keeps.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
REDUCTION(errors);
REDUCTION(loops);

float mean_error(uint iteration)
{
    float high = float(errors[SIM_ERRORS_HIGH + iteration]), low = float(errors[SIM_ERRORS_LOW + iteration]);
    return (high * 4294967296.0 + low) / (float(SIM_ERROR_FINE) * float(max(state.live, 1u)));
}

void main()
{
    if (row_index() != 0u || status.running == 0u || state.flags != 0u) return;
    if (status.solved != 0u) return;
    uint done = row.inner, above = errors[SIM_ERRORS_ABOVE + done];
    float mean = mean_error(done);
    bool within = mean <= params.tolerance_mean && above <= state.live / SIM_STRAYS;
    if (done < params.iterations && (!within || done < SIM_LEAST_ITERATIONS)) return;
    loops[SIM_LOOP_ITERATIONS] = gpu_loop(0u, 0u, 0u, done);
    errors[SIM_ERRORS_MEASURED] = done + 1u;
    status.solved = 1u;
    status.iterations = done;
    status.missed = within ? 0u : 1u;
    status.error_mean = mean;
    status.error_max = uintBitsToFloat(errors[SIM_ERRORS_MAX + done]);
    status.above = above;
}
