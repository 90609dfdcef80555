// Computes the final image: exposure, a tone curve that preserves hues (Khronos PBR neutral), the mean of a
// pixel's samples, sRGB; one invocation per pixel. With a transparent background the colour is that of what
// covers the pixel, and alpha is the covered fraction.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
READ_IMAGE_ANY(colour);
READ_IMAGE_ANY(solid_depth);
READ_ANY(slice);
READ_ANY(legend);
WRITE_OWN_IMAGE(target, rgba8);
#include "render/legend.glsl"
#include "render/slice.glsl"

vec3 tone_curve(vec3 c)
{
    const float start = 0.76;
    float least = min(c.r, min(c.g, c.b));
    c -= least < 0.08 ? least - 6.25 * least * least : 0.04;
    float peak = max(c.r, max(c.g, c.b));
    if (peak < start) return c;
    float room = 1.0 - start, lowered = 1.0 - room * room / (peak + room - start);
    return mix(c * lowered / peak, vec3(lowered), 1.0 - 1.0 / (0.15 * (peak - lowered) + 1.0));
}

// Returns noise between -0.5 and 0.5 that depends on the pixel alone.
float dither(ivec2 p)
{
    uint h = uint(p.x) * 1597334677u ^ uint(p.y) * 3812015801u;
    h = (h ^ h >> 15) * 2246822519u;
    return float((h ^ h >> 13) & 0xffffu) / 65535.0 - 0.5;
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    int samples = int(params.samples);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < samples * samples; i++) {
        ivec2 sampled = p * samples + ivec2(i % samples, i / samples);
        vec4 c = params.background.w * texelFetch(colour, sampled, 0);
        vec4 seen = vec4(params.background.z != 0.0 ? c.rgb : tone_curve(params.background.y * c.rgb),
                         params.background.x != 0.0 ? c.a : 1.0);
        if (DRAW_SLICE) seen = slice_blend(seen, sampled);
        sum += vec4(clamp(seen.rgb, 0.0, 1.0) * seen.a, seen.a);
    }
    vec3 shown = srgb_encode(sum.rgb / max(sum.a, 1e-6));
    if (params.background.z == 0.0) shown += dither(p) / 255.0; // no bands in a smooth backdrop
    vec4 seen = vec4(shown, sum.a / float(samples * samples));
    imageStore(target, p, params.legend.z != 0u ? legend_blend(seen, p) : seen);
}
