// Marks the ancestors of a marked block.
// Buffers: multigrid, blocks, block_marks (atomic).
#ifndef POISSON_MARK_PARENTS_GLSL
#define POISSON_MARK_PARENTS_GLSL
#include "poisson/blocks.glsl"

// i: entry of the finest level's block table.
void mark_parents(uint i)
{
    if (block_marks[i] == 0u) return;
    uvec4 size = multigrid.tables[0];
    uvec3 at = uvec3(i % size.x, i / size.x % size.y, i / (size.x * size.y));
    uint levels = multigrid.levels;
    for (uint level = 1u; level < levels; level++) {
        at >>= poisson_coarsened_axes(level - 1u);
        atomicOr(block_marks[poisson_block_entry(level, at)], 1u);
    }
}
#endif
