// Reports the state of the rank to its host before an exchange, and clears the counters of the next one; one
// invocation.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(status);
REDUCTION(halo_counters);
REDUCTION(halo_report);

void main()
{
    if (invocation_index() != 0u) return;
    halo_report.flags = state.flags;
    halo_report.running = status.running;
    halo_report.count = state.count;
    halo_report.live = state.live;
    halo_report.near = state.near;
    halo_report.held = state.held;
    for (uint k = 0u; k < GRID_PARTS_MAX; k++) halo_report.part_starts[k] = state.part_starts[k];
    halo_report.packed_left = halo_counters.packed_left;
    halo_report.packed_right = halo_counters.packed_right;
    halo_report.strays = halo_counters.strays;
    halo_report.alive = halo_counters.alive;
    halo_report.particles = status.count;
    halo_report.lost = status.solve_non_finite + status.total_non_finite + status.non_finite;
    halo_report.solved = status.iterations_done;
    halo_counters = rank_counters(0u, 0u, 0u, 0u);
}
