// Marks the blocks of cells that hold particles or touch a particle's cell.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
FETCH(iterates);
BLOCK(multigrid);
GATHER(blocks);
ATOMIC(marks);
#include "poisson.glsl"
#include "cells.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 own = ivec3(cells_at(FETCHED(iterates, i).xyz));
    uint last = POISSON_NONE;
    for (uint k = 0u; k < 8u; k++) {
        ivec3 offset = 2 * (ivec3(k, k >> 1, k >> 2) & 1) - 1;
        uint entry = poisson_entry(0u, uvec3(cells_inside(own + offset)) / POISSON_EDGE);
        if (entry != last && marks[entry] == 0u) atomicOr(marks[entry], 1u);
        last = entry;
    }
}
