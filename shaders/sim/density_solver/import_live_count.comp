// Sets the number of live particles and their dispatch sizes; one invocation. Density solver only. With
// neighbour lists of the host program nothing is sorted, and all particles are live; skipped ones have an
// invalid position, out of reach of all others.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);

void main()
{
    if (invocation_index() != 0u) return;
    state.live = state.near = state.held = state.everyone = state.flags == 0u ? state.count : 0u;
    uvec2 size = grid_dispatch((state.live + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    for (uint k = GRID_ARGS_LIVE; k <= GRID_ARGS_NEAR; k++) {
        state.arguments[k * 3u] = size.x;
        state.arguments[k * 3u + 1u] = size.y;
        state.arguments[k * 3u + 2u] = 1u;
    }
}
