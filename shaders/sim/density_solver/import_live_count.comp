// The density constraint alone, one invocation: with the caller's lists nothing is sorted, and all particles
// are live; those that were not taken are lost, so that they are out of everyone's reach.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

REDUCTION(state);

void main()
{
    if (invocation_index() != 0u) return;
    state.live = state.flags == 0u ? state.count : 0u;
    uvec2 size = grid_dispatch((state.live + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    state.arguments[GRID_ARGS_LIVE * 3u] = size.x;
    state.arguments[GRID_ARGS_LIVE * 3u + 1u] = size.y;
    state.arguments[GRID_ARGS_LIVE * 3u + 2u] = 1u;
}
