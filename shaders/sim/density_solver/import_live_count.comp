// Sets the number of live particles and their dispatch size; one invocation. Density solver only. With
// neighbour lists of the host program nothing is sorted, and all particles are live; skipped ones have an
// invalid position, out of reach of all others.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);

void main()
{
    if (invocation_index() != 0u) return;
    state.live = state.near = state.held = state.flags == 0u ? state.count : 0u;
    uvec2 size = grid_dispatch((state.live + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_LIVE * 3u + 2u] = 1u;
}
