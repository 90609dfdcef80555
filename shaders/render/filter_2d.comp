// Applies a small round filter, 5 x 5, with the same range test as filter_1d.comp; one invocation per pixel.
// It removes the crosses that two passes of lines leave.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(thickness);
WRITE_ANY_IMAGE(target, r32f);

float inverse_depth_at(ivec2 p, ivec2 size)
{
    bool outside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size));
    return outside ? 0.0 : texelFetch(fluid, p, 0).x;
}

void main()
{
    ivec2 size = textureSize(fluid, 0), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    float w = texelFetch(fluid, p, 0).x, sum = w, weight = 1.0, range = params.filter_range_m;
    vec2 t = texelFetch(thickness, p, 0).xy;
    float calm = smoothstep(0.15, 0.4, t.y / max(t.x, 1e-12));
    for (int i = 1; i <= 12 && w > 0.0; i++) { // half of the square; the other half mirrors it
        ivec2 offset = ivec2((12 + i) % 5 - 2, (12 + i) / 5 - 2);
        float a = inverse_depth_at(p - offset, size), b = inverse_depth_at(p + offset, size);
        bool both = a > 0.0 && b > 0.0 && abs(a - w) < range * a * w && abs(b - w) < range * b * w;
        float g = both ? calm * exp(-0.5 * float(offset.x * offset.x + offset.y * offset.y)) : 0.0;
        sum += g * (a + b);
        weight += 2.0 * g;
    }
    imageStore(target, p, vec4(sum / weight));
}
