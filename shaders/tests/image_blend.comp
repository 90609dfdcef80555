// Reads two sampled images and adds what they hold to a storage image.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
#include "row.glsl"

layout(binding = 0) uniform texture2D first;
layout(binding = 1) uniform texture2D second;
layout(binding = 2, r32f) uniform image2D result;

void main()
{
    ivec2 size = imageSize(result);
    uint i = row_index();
    if (i >= uint(size.x * size.y)) return;
    ivec2 p = ivec2(int(i) % size.x, int(i) / size.x);
    float was = imageLoad(result, p).x;
    imageStore(result, p, vec4(was + texelFetch(first, p, 0).x + 10.0 * texelFetch(second, p, 0).y));
}
