// Counts the blocks of each level; one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/poisson.glsl"

REDUCTION(solve);
REDUCTION(state);
READ_ANY(block_numbers);
#include "poisson/count_blocks.glsl"

void main()
{
    if (invocation_index() == 0u) count_blocks();
}
