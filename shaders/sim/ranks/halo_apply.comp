// Applies what the host has learned in an exchange: raises flags, and after a migration adds the received
// particles to those to be sorted (pass.constant); one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"
#include "ranks.h"

REDUCTION(state);
REDUCTION(status);
BLOCK(halo_reply);

void main()
{
    if (invocation_index() != 0u || status.running == 0u) return;
    state.flags |= halo_reply.flags;
    if (pass.constant != RANK_APPLY_MIGRATION) return;
    if (halo_reply.required_capacity > 0u) status.required_capacity = halo_reply.required_capacity;
    if (state.flags != 0u) return;
    state.everyone = halo_reply.everyone;
    state.count = halo_reply.first + halo_reply.received_left + halo_reply.received_right;
    uvec2 size = grid_dispatch((state.count + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP);
    state.arguments[GRID_ARGS_PARTICLES * 3u] = size.x;
    state.arguments[GRID_ARGS_PARTICLES * 3u + 1u] = size.y;
}
