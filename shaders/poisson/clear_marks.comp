// No block is active.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "poisson_kernel.glsl"

OWN_WRITE(marks);

void main()
{
    uint i = row_index();
    if (i <= multigrid.entries) marks[i] = 0u;
}
