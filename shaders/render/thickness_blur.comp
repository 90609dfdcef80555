// One line of a Gaussian over the thickness, along x or y (row.constant): the sum of chords is bumpy by the
// size of a particle, and refraction would show it. What lies outside the fluid does not count.
// Reads the fluid's 1/z and the thickness; writes the smooth thickness.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
#include "pixels.glsl"
#include "render.h"

layout(std430, binding = RENDER_BIND_PARAMS) readonly buffer params_block { render_params params; };
layout(binding = RENDER_BIND_FLUID) uniform texture2D fluid;
layout(binding = RENDER_BIND_THICKNESS) uniform texture2D thickness;
layout(binding = RENDER_BIND_TARGET, rgba16f) writeonly uniform image2D target;

const int TAPS = 8; // on each side

void main()
{
    ivec2 size = textureSize(fluid, 0), p = pixel_of(row_index(), size);
    if (pixel_outside(p, size)) return;
    float w = texelFetch(fluid, p, 0).x, range = 2.0 * params.filter_range;
    vec2 sum = texelFetch(thickness, p, 0).xy;
    if (w > 0.0) {
        render_camera camera = params.cameras[RENDER_EYE];
        float sigma = params.filter_sigma * w * 0.5 * camera.frame.y / camera.up.w, weight = 1.0;
        float apart = max(2.5 * sigma / float(TAPS), 1.0);
        ivec2 way = row.constant != 0u ? ivec2(0, 1) : ivec2(1, 0);
        for (int i = -TAPS; i <= TAPS; i++) {
            float offset = round(float(i) * apart);
            ivec2 q = p + way * int(offset);
            if (i == 0 || any(lessThan(q, ivec2(0))) || any(greaterThanEqual(q, size))) continue;
            float a = texelFetch(fluid, q, 0).x;
            bool joined = a > 0.0 && abs(a - w) < range * a * w;
            float g = joined ? exp(-0.5 * offset * offset / max(sigma * sigma, 0.1)) : 0.0;
            sum += g * texelFetch(thickness, q, 0).xy;
            weight += g;
        }
        sum /= weight;
    }
    imageStore(target, p, vec4(sum, 0.0, 0.0));
}
