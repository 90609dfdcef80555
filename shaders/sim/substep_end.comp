// One invocation: a substep is complete, and its counts are added to the totals.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);

void main()
{
    if (row_index() != 0u || status.running == 0u || state.flags != 0u) return;
    status.count = state.live;
    status.substep++;
    status.total_substeps++;
    status.total_escaped += status.escaped;
    status.total_sunk += status.sunk;
    status.total_non_finite += status.non_finite;
    status.total_correction_caps += status.correction_caps;
    status.total_speed_caps += status.speed_caps;
    status.total_emitted += status.emit_count;
    status.total_reseeded += status.reseeded;
    status.frame_viscous_iterations += status.viscous_iterations;
    status.frame_viscous_residual = max(status.frame_viscous_residual, status.viscous_residual);
    status.solved = 0u;
    status.frame_iterations += status.iterations;
    status.total_iterations += status.iterations;
    status.frame_missed += status.missed;
    status.frame_error_mean = max(status.frame_error_mean, status.error_mean);
    status.frame_error_max = max(status.frame_error_max, status.error_max);
    status.frame_above = max(status.frame_above, status.above);
}
