// Writes the overlay's colour times that of the font image, interpolated between its four nearest pixels.
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

vec4 texel(ivec2 at)
{
    ivec2 size = ivec2(block.font);
    at = clamp(at, ivec2(0), size - 1);
    return unpackUnorm4x8(font[at.y * size.x + at.x]);
}

void main()
{
    if (any(lessThan(gl_FragCoord.xy, clip.xy)) || any(greaterThanEqual(gl_FragCoord.xy, clip.zw))) discard;
    ivec2 at = ivec2(floor(uv));
    vec2 part = uv - vec2(at);
    vec4 top = mix(texel(at), texel(at + ivec2(1, 0)), part.x);
    vec4 bottom = mix(texel(at + ivec2(0, 1)), texel(at + ivec2(1, 1)), part.x);
    picture = colour * mix(top, bottom, part.y);
}
