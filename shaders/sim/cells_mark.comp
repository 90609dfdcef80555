// Marks the blocks of cells that hold particles or touch a particle's cell.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_TEXELS(iterates);
BLOCK(multigrid);
READ_ANY(blocks);
ATOMIC(marks);
#include "poisson/blocks.glsl"
#include "mac/cells.glsl"

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 own = ivec3(cells_at(TEXEL(iterates, i).xyz));
    uint last = POISSON_NONE;
    for (uint k = 0u; k < 8u; k++) {
        ivec3 offset = 2 * (ivec3(k, k >> 1, k >> 2) & 1) - 1;
        uint entry = poisson_entry(0u, uvec3(cells_inside(own + offset)) / POISSON_EDGE);
        if (entry != last && marks[entry] == 0u) atomicOr(marks[entry], 1u);
        last = entry;
    }
}
