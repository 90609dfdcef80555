// Writes the overlay's colour times the font's coverage, interpolated between its four nearest pixels.
#version 460
#include "overlay.h"
#define BIND(name) OVERLAY_BIND_##name
#include "bindings/draw.glsl"

BLOCK(block);
READ_ANY(font);
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 colour;
layout(location = 2) flat in vec4 clip;
layout(location = 0) out vec4 picture;

float coverage(ivec2 at)
{
    ivec2 size = ivec2(block.font);
    at = clamp(at, ivec2(0), size - 1);
    uint index = uint(at.y * size.x + at.x);
    return float(font[index >> 2] >> (8u * (index & 3u)) & 255u) / 255.0;
}

void main()
{
    if (any(lessThan(gl_FragCoord.xy, clip.xy)) || any(greaterThanEqual(gl_FragCoord.xy, clip.zw))) discard;
    ivec2 at = ivec2(floor(uv));
    vec2 part = uv - vec2(at);
    float top = mix(coverage(at), coverage(at + ivec2(1, 0)), part.x);
    float bottom = mix(coverage(at + ivec2(0, 1)), coverage(at + ivec2(1, 1)), part.x);
    picture = vec4(colour.rgb, colour.a * mix(top, bottom, part.y));
}
