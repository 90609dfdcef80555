// Reports the density errors of the running iteration to the host, or applies those of all ranks
// (pass.constant: RANK_ERRORS_); one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"
#include "ranks.h"

REDUCTION(state);
BLOCK(status);
REDUCTION(density_errors);
REDUCTION(halo_report);
BLOCK(halo_reply);

void report(uint k)
{
    halo_report.flags = state.flags;
    halo_report.errors.sum = density_errors[k];
    halo_report.errors.max = density_errors[SIM_DENSITY_ERRORS_MAX + k];
    if (!HAS_TOLERANCE) return;
    halo_report.errors.above = density_errors[SIM_DENSITY_ERRORS_ABOVE + k];
    halo_report.errors.sum_low = density_errors[SIM_DENSITY_ERRORS_SUM_LOW + k];
    halo_report.errors.sum_high = density_errors[SIM_DENSITY_ERRORS_SUM_HIGH + k];
}

void apply(uint k)
{
    state.flags |= halo_reply.flags;
    density_errors[k] = halo_reply.errors.sum;
    density_errors[SIM_DENSITY_ERRORS_MAX + k] = halo_reply.errors.max;
    if (!HAS_TOLERANCE) return;
    density_errors[SIM_DENSITY_ERRORS_ABOVE + k] = halo_reply.errors.above;
    density_errors[SIM_DENSITY_ERRORS_SUM_LOW + k] = halo_reply.errors.sum_low;
    density_errors[SIM_DENSITY_ERRORS_SUM_HIGH + k] = halo_reply.errors.sum_high;
}

void main()
{
    if (invocation_index() != 0u || status.running == 0u) return;
    if (pass.constant == RANK_ERRORS_REPORT) report(pass.inner);
    else apply(pass.inner);
}
