// Completes the substep before, if there is one. Starts a substep if the frame takes it, selects its
// emissions, and sets the dispatch size over all particles; one workgroup.
#version 460
#define WORKGROUP 64
#include "bindings/sim.glsl"

REDUCTION(state);
REDUCTION(status);
READ_ANY(emissions);
REDUCTION(density_errors);
#include "particles/complete_substep.glsl"

uint emission_substep(uint e)
{
    return min(uint(max(emissions[e].time, 0.0) / status.dt), status.substeps - 1u);
}

void select_emissions()
{
    // No buffer is read in a loop condition: GPU-assisted validation 1.3.239 generates invalid code for that.
    uint n = params.emission_count, first = n, last = n, count = 0u;
    for (uint e = 0u; e < n; e++) {
        uint substep = emission_substep(e);
        if (substep == pass.outer) {
            first = min(first, e);
            count += emissions[e].particle_count;
        }
        if (substep > pass.outer) last = min(last, e);
    }
    status.first_emission = first;
    status.last_emission = last;
    status.emitted_count = count;
}

void clear_counts()
{
    status.escaped = 0u;
    status.removed_by_sinks = 0u;
    status.non_finite = 0u;
    status.clamped_corrections = 0u;
    status.clamped_speeds = 0u;
    status.solve_non_finite = 0u;
    status.viscous_iterations = 0u;
    status.viscous_residual = 0u;
    status.iterations_done = 0u;
    status.iterations = params.iterations;
    status.unconverged = 0u;
    status.error_mean = 0.0;
    status.error_max = 0.0;
    status.above_tolerance = 0u;
    status.reseeded = 0u;
    status.solve_repetitions = 0u;
}

void start(bool wanted)
{
    status.running = wanted ? 1u : 0u;
    state.count = 0u;
    state.live = 0u;
    state.segment_scan_length = 0u;
    if (wanted) {
        clear_counts();
        select_emissions();
        uint count = status.count + status.emitted_count;
        if (count > params.particle_capacity) {
            state.flags |= GRID_OVERFLOW_PARTICLES;
            status.required_capacity = count;
            status.emitted_count = 0u;
        } else {
            state.count = count;
            state.segment_scan_length = pass.constant + 2u;
        }
    }
    uvec2 size = grid_dispatch((state.count + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    state.arguments[GRID_ARGS_PARTICLES * 3u] = size.x;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 2u] = 1u;
}

void main()
{
    bool finished = has_finished_substep();
    uint substep = status.substep + (finished ? 1u : 0u);
    bool wanted = state.flags == 0u && pass.outer < status.substeps && substep == pass.outer;
    uint words = HAS_TOLERANCE ? SIM_DENSITY_ERRORS_WORDS : SIM_DENSITY_ERRORS_ABOVE;
    for (uint k = gl_LocalInvocationIndex; wanted && k < words; k += WORKGROUP) density_errors[k] = 0u;
    barrier(); // all have read the state
    if (gl_LocalInvocationIndex != 0u) return;
    if (finished) complete_substep();
    start(wanted);
}
