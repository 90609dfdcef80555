// Selects the pixel that each texel at half the resolution samples: the first one of the nearest surface
// among its four pixels. One invocation per texel.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
WRITE_OWN_IMAGE(target, r32f);

void main()
{
    ivec2 size = imageSize(target), q = pixel_from_index(invocation_index(), size);
    if (pixel_outside(q, size)) return;
    ivec2 last = textureSize(fluid, 0) - 1;
    vec4 w;
    for (int k = 0; k < 4; k++) {
        ivec2 p = 2 * q + ivec2(k & 1, k >> 1);
        w[k] = all(lessThanEqual(p, last)) ? texelFetch(fluid, p, 0).x : 0.0;
    }
    float nearest = max(max(w.x, w.y), max(w.z, w.w));
    uint place = 3u;
    for (int k = 2; k >= 0; k--)
        if (nearest - w[k] < 0.5 * params.filter_range_m * nearest * w[k]) place = uint(k);
    float stored = uintBitsToFloat((floatBitsToUint(w[place]) & ~3u) | place);
    imageStore(target, q, vec4(nearest > 0.0 ? stored : 0.0));
}
