// Clears the marks of all blocks; one invocation per entry of the block tables.
#version 460
#include "bindings/poisson.glsl"

WRITE_OWN(block_marks);

void main()
{
    uint i = invocation_index();
    if (i <= multigrid.entries) block_marks[i] = 0u;
}
