// Marks the ancestors of every marked block of the finest level; one invocation per entry of its block table.
#version 460
#include "bindings/poisson.glsl"

BLOCK(state);
READ_ANY(blocks);
ATOMIC(block_marks);
#include "poisson/mark_parents.glsl"

void main()
{
    uint i = invocation_index();
    if (i < multigrid.tables[0].w && state.flags == 0u) mark_parents(i);
}
