// Marks the ancestors of every marked block of the finest level; one invocation per entry of its block table.
#version 460
#include "bindings/poisson.glsl"

BLOCK(state);
READ_ANY(blocks);
ATOMIC(block_marks);
#include "poisson/blocks.glsl"

void main()
{
    uint i = invocation_index();
    uvec4 size = multigrid.tables[0];
    if (i >= size.w || state.flags != 0u || block_marks[i] == 0u) return;
    uvec3 at = uvec3(i % size.x, i / size.x % size.y, i / (size.x * size.y));
    uint levels = multigrid.levels;
    for (uint level = 1u; level < levels; level++) {
        at >>= poisson_coarsened_axes(level - 1u);
        atomicOr(block_marks[poisson_block_entry(level, at)], 1u);
    }
}
