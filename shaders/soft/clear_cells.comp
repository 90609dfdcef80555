// One invocation a cell and a vertex: no facet is in the cell, and the vertex bears and drags no particle.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
WRITE_ANY(soft_heads);
BLOCK(soft_cells);
WRITE_ANY(soft_sums);

void main()
{
    uint i = row_index(), cells = soft_cells.count.x * soft_cells.count.y * soft_cells.count.z;
    if (state.flags != 0u) return;
    if (i < cells) soft_heads[i] = SOFT_NONE;
    if (i >= row.constant) return;
    soft_sums[i * SOFT_SUM_WORDS + SOFT_SUM_CONTACTS] = 0u;
    soft_sums[i * SOFT_SUM_WORDS + SOFT_SUM_DRAGS] = 0u;
}
