// No block is active.
#version 460
#include "bindings/poisson.glsl"

WRITE_OWN(marks);

void main()
{
    uint i = row_index();
    if (i <= multigrid.entries) marks[i] = 0u;
}
