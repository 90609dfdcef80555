// Ends the iterations when the density error is within the tolerance or their number has reached its limit.
// One invocation, between the density error of an iteration and its correction. The correction is then
// skipped, so the error is that of the positions which the substep keeps. pass.constant is the last iteration
// that the host has recorded; if more are needed, a flag stops the frame.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);
REDUCTION(status);
REDUCTION(density_errors);
REDUCTION(loops);

float mean_density_error(uvec2 sum)
{
    return (float(sum.y) * 4294967296.0 + float(sum.x)) /
           (float(SIM_DENSITY_ERROR_FINE_UNITS) * float(max(state.everyone, 1u)));
}

// Returns whether a sum, low and high word, is at most the tolerance times the number of particles. It
// compares integers, so that rounding does not decide.
bool mean_is_within(uvec2 sum)
{
    float units = min(params.tolerance_mean, 255.0) * float(SIM_DENSITY_ERROR_FINE_UNITS);
    uvec2 most;
    umulExtended(uint(units), state.everyone, most.y, most.x);
    return sum.y < most.y || (sum.y == most.y && sum.x <= most.x);
}

void main()
{
    if (invocation_index() != 0u || status.running == 0u || state.flags != 0u) return;
    if (status.iterations_done != 0u) return;
    uint done = pass.inner, above = density_errors[SIM_DENSITY_ERRORS_ABOVE + done];
    uvec2 sum = uvec2(density_errors[SIM_DENSITY_ERRORS_SUM_LOW + done],
                      density_errors[SIM_DENSITY_ERRORS_SUM_HIGH + done]);
    bool within = mean_is_within(sum) && above <= state.everyone / SIM_PARTICLES_PER_OUTLIER;
    bool wanted = done < params.iterations && (!within || done < SIM_MIN_ITERATIONS);
    if (wanted && done < pass.constant) return;
    if (wanted) state.flags |= SIM_FLAG_FRAME_UNFINISHED;
    loops[SIM_LOOP_ITERATIONS] = gpu_loop(0u, 0u, 0u, done);
    density_errors[SIM_DENSITY_ERRORS_COUNT] = done + 1u;
    status.iterations_done = 1u;
    status.iterations = done;
    status.solve_repetitions = done + 1u;
    status.unconverged = within ? 0u : 1u;
    status.error_mean = mean_density_error(sum);
    status.error_max = uintBitsToFloat(density_errors[SIM_DENSITY_ERRORS_MAX + done]);
    status.above_tolerance = above;
}
