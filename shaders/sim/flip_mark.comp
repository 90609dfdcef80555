// Marks the blocks of cells that particles can reach in a substep, with room about them for the stencils.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
OWN_READ(starts);
BLOCK(multigrid);
GATHER(blocks);
ATOMIC(marks);
#include "poisson.glsl"
#include "cells.glsl"
#include "mac.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 own = mac_find(starts[i].xyz).cell;
    uint last = POISSON_NONE;
    for (uint k = 0u; k < 27u; k++) {
        // The own cell, too: where an axis turns over, the last block may hold fewer cells than the reach.
        ivec3 offset = int(SIM_MAC_REACH) * (ivec3(k, k / 3u, k / 9u) % 3 - 1);
        uint entry = poisson_entry(0u, uvec3(cells_inside(own + offset)) / POISSON_EDGE);
        if (entry != last && marks[entry] == 0u) atomicOr(marks[entry], 1u);
        last = entry;
    }
}
