// Completes the substep that ran before the current pass. A pass of its own would make all others wait once
// more, so the next substep or the end of the frame does it.
// Buffers: state, status.
#ifndef PARTICLES_COMPLETE_SUBSTEP_GLSL
#define PARTICLES_COMPLETE_SUBSTEP_GLSL

// Returns whether a substep ran to its end.
bool has_finished_substep() { return status.running != 0u && state.flags == 0u; }

// Adds its counts to the totals.
void complete_substep()
{
    status.running = 0u;
    status.count = state.live;
    status.substep++;
    status.total_substeps++;
    status.total_escaped += status.escaped;
    status.total_removed_by_sinks += status.removed_by_sinks;
    status.total_non_finite += status.non_finite;
    status.total_capped_corrections += status.clamped_corrections;
    status.total_capped_speeds += status.clamped_speeds;
    status.total_emitted += status.emitted_count;
    status.total_reseeded += status.reseeded;
    status.frame_viscous_iterations += status.viscous_iterations;
    status.frame_max_viscous_iterations = max(status.frame_max_viscous_iterations, status.viscous_iterations);
    status.frame_viscous_residual = max(status.frame_viscous_residual, status.viscous_residual);
    status.iterations_done = 0u;
    status.frame_iterations += status.iterations;
    status.frame_solve_repetitions = max(status.frame_solve_repetitions, status.solve_repetitions);
    status.total_iterations += status.iterations;
    status.frame_unconverged += status.unconverged;
    status.frame_error_mean = max(status.frame_error_mean, status.error_mean);
    status.frame_error_max = max(status.frame_error_max, status.error_max);
    status.frame_above_tolerance = max(status.frame_above_tolerance, status.above_tolerance);
}
#endif
