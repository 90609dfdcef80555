// Marks the blocks of cells that particles can reach in a substep, with a margin for the stencils; one
// invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(sorted_positions);
BLOCK(multigrid);
READ_ANY(blocks);
ATOMIC(block_marks);
#include "poisson/blocks.glsl"
#include "mac/cells.glsl"
#include "mac/grid.glsl"

void mark_block(ivec3 at)
{
    uint entry = poisson_block_entry(0u, uvec3(at));
    if (block_marks[entry] == 0u) atomicOr(block_marks[entry], 1u);
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    ivec3 own = mac_locate(sorted_positions[i].xyz).cell, reach = ivec3(SIM_MAC_REACH);
    ivec3 low = cell_inside_domain(own - reach) / int(POISSON_BLOCK_EDGE);
    ivec3 high = cell_inside_domain(own + reach) / int(POISSON_BLOCK_EDGE);
    // On a periodic axis the last block may hold fewer cells than the reach.
    ivec3 middle = cell_inside_domain(own) / int(POISSON_BLOCK_EDGE);
    uvec3 count = 1u + uvec3(notEqual(low, middle)) + uvec3(notEqual(high, middle));
    ivec3 other = mix(high, low, notEqual(low, middle));
    for (uint z = 0u; z < count.z; z++)
        for (uint y = 0u; y < count.y; y++)
            for (uint x = 0u; x < count.x; x++) {
                ivec3 at = mix(middle, other, equal(uvec3(x, y, z), uvec3(1u)));
                mark_block(mix(at, high, equal(uvec3(x, y, z), uvec3(2u))));
            }
}
