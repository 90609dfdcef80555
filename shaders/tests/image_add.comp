// Adds the values of two sampled images to a storage image; one invocation per pixel.
#version 460
#define BIND(name) BIND_##name
#include "bindings/dispatch.glsl"

#define BIND_first WEIR_IMAGE(0)
#define BIND_second WEIR_IMAGE(1)
#define BIND_result WEIR_IMAGE(2)
READ_IMAGE_ANY(first);
READ_IMAGE_ANY(second);
UPDATE_OWN_IMAGE(result, r32f);

void main()
{
    ivec2 size = imageSize(result);
    uint i = invocation_index();
    if (i >= uint(size.x * size.y)) return;
    ivec2 p = ivec2(int(i) % size.x, int(i) / size.x);
    float was = imageLoad(result, p).x;
    imageStore(result, p, vec4(was + texelFetch(first, p, 0).x + 10.0 * texelFetch(second, p, 0).y));
}
