// Nothing, but a dispatch and the barrier that its declaration asks for.
#version 460
#include "row.glsl"

layout(std430, binding = 0) buffer word_block { uint word[]; };

void main()
{
    if (row.constant != 0u) word[0] = 0u;
}
