// Completes the last substep, and sets the dispatch size of the statistics to the particles of the finished
// frame; one invocation. Raises a flag, which stops all later passes, if the frame takes more substeps than
// the host has recorded.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);
REDUCTION(status);
#include "particles/complete_substep.glsl"

void main()
{
    if (invocation_index() != 0u) return;
    if (has_finished_substep()) complete_substep();
    status.running = 0u;
    if (state.flags == 0u && status.substep < status.substeps) state.flags |= SIM_FLAG_FRAME_UNFINISHED;
    state.live = state.flags == 0u ? status.count : 0u;
    uvec2 size = grid_dispatch((state.live + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_LIVE * 3u + 2u] = 1u;
}
