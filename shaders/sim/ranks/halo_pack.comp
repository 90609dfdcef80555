// Packs a record of every particle that leaves the rank's slab or comes near a neighbour's, and marks those
// that the rank no longer holds; one invocation per particle, after the prediction. The neighbour sees from a
// record's plane whether it owns the particle. Particles emitted in this substep are on every rank, and are
// not sent. Counts each particle of the simulation on one rank. pass.constant is the room for records to one
// neighbour.
#version 460
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(status);
BLOCK(grid);
BLOCK(parts);
READ_OWN(positions);
READ_OWN(velocities);
READ_OWN(ids);
READ_OWN(clearances);
UPDATE_OWN(predicted_positions);
WRITE_ANY(halo_sent);
ATOMIC(halo_counters);
#include "neighbours/grid_parts.glsl"

void pack(uint i, ivec4 p, uint at)
{
    halo_sent[at] = uvec4(positions[i]);
    halo_sent[at + 1u] = uvec4(p);
    halo_sent[at + 2u] = floatBitsToUint(velocities[i]);
    halo_sent[at + 3u] = uvec4(ids[i], HAS_SOLIDS ? floatBitsToUint(clearances[i]) : 0u, 0u, 0u);
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= state.count);
    ivec4 p = predicted_positions[i];
    if (p.w < 0) return;
    uint plane = grid_plane(uvec3(grid_wrap_bin(grid, ivec3(floor(grid_bin_coordinates(grid, p.xyz))))));
    uint room = pass.constant, depth = parts.depth;
    bool own = i < status.count;
    uint part = grid_part_of(plane);
    if (own || part < parts.own) atomicAdd(halo_counters.alive, 1u);
    if (own && parts.has_left != 0u && plane < parts.first + depth) {
        uint k = atomicAdd(halo_counters.packed_left, 1u);
        if (k < room) pack(i, p, k * RANK_RECORD_VECTORS);
    }
    if (own && parts.has_right != 0u && plane >= parts.end - depth) {
        uint k = atomicAdd(halo_counters.packed_right, 1u);
        if (k < room) pack(i, p, (room + k) * RANK_RECORD_VECTORS);
    }
    if (own && (plane < parts.low_limit || plane >= parts.high_limit)) atomicAdd(halo_counters.strays, 1u);
    if (part == parts.held) predicted_positions[i].w = floatBitsToInt(-1.0);
}
