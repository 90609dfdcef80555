// Marks the blocks of cells that contain a particle's cell or one of its corner neighbours; one invocation
// per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_TEXELS(iterated_positions);
BLOCK(multigrid);
READ_ANY(blocks);
ATOMIC(block_marks);
#include "poisson/blocks.glsl"
#include "mac/cells.glsl"

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 own = ivec3(cell_coordinates(TEXEL(iterated_positions, i).xyz));
    uint last = POISSON_NONE;
    for (uint k = 0u; k < 8u; k++) {
        ivec3 offset = 2 * (ivec3(k, k >> 1, k >> 2) & 1) - 1;
        uint entry = poisson_block_entry(0u, uvec3(cell_inside_domain(own + offset)) / POISSON_BLOCK_EDGE);
        if (entry != last && block_marks[entry] == 0u) atomicOr(block_marks[entry], 1u);
        last = entry;
    }
}
