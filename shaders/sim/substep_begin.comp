// One invocation: starts a substep if the frame takes it, finds its emissions, and sets the dispatch size
// over all particles.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);
REDUCTION(status);
READ_ANY(emissions);
REDUCTION(errors);

uint emission_substep(uint e)
{
    return min(uint(max(emissions[e].time, 0.0) / status.dt), status.substeps - 1u);
}

void pick_emissions()
{
    // No buffer is read in a loop's condition: GPU-assisted validation 1.3.239 makes invalid code of it.
    uint n = params.emission_count, first = n, last = n, count = 0u;
    for (uint e = 0u; e < n; e++) {
        uint substep = emission_substep(e);
        if (substep == row.outer) {
            first = min(first, e);
            count += emissions[e].particle_count;
        }
        if (substep > row.outer) last = min(last, e);
    }
    status.emit_first = first;
    status.emit_last = last;
    status.emit_count = count;
}

void clear_counts()
{
    uint words = TOLERANT ? SIM_ERRORS_WORDS : SIM_ERRORS_ABOVE;
    for (uint k = 0u; k < words; k++) errors[k] = 0u;
    status.escaped = 0u;
    status.sunk = 0u;
    status.non_finite = 0u;
    status.correction_caps = 0u;
    status.speed_caps = 0u;
    status.broken = 0u;
    status.viscous_iterations = 0u;
    status.viscous_residual = 0u;
    status.solved = 0u;
    status.iterations = params.iterations;
    status.missed = 0u;
    status.error_mean = 0.0;
    status.error_max = 0.0;
    status.above = 0u;
    status.reseeded = 0u;
}

void main()
{
    if (row_index() != 0u) return;
    bool wanted = state.flags == 0u && row.outer < status.substeps && status.substep == row.outer;
    status.running = wanted ? 1u : 0u;
    state.count = 0u;
    state.live = 0u;
    state.segment_scan = 0u;
    if (wanted) {
        clear_counts();
        pick_emissions();
        uint count = status.count + status.emit_count;
        if (count > params.particle_capacity) {
            state.flags |= GRID_OVERFLOW_PARTICLES;
            status.needed_particles = count;
            status.emit_count = 0u;
        } else {
            state.count = count;
            state.segment_scan = row.constant + 2u;
        }
    }
    uvec2 size = grid_dispatch((state.count + GROUP - 1u) / GROUP);
    state.arguments[GRID_ARGS_PARTICLES * 3u] = size.x;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 2u] = 1u;
}
