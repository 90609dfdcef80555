// Maps quantities to the colours of the picture's colour map.
// Buffers: params.
#ifndef RENDER_COLOUR_MAP_GLSL
#define RENDER_COLOUR_MAP_GLSL
#include "render/colours.glsl"

// Returns the colour of a value from 0 to 1, in linear light.
vec3 colour_map(float x)
{
    float at = clamp(x, 0.0, 1.0) * float(RENDER_COLOUR_MAP_SIZE - 1u);
    uint k = min(uint(at), RENDER_COLOUR_MAP_SIZE - 2u);
    vec3 below = unpackUnorm4x8(params.colour_map[k / 4u][k % 4u]).xyz;
    vec3 above = unpackUnorm4x8(params.colour_map[(k + 1u) / 4u][(k + 1u) % 4u]).xyz;
    return srgb_decode(mix(below, above, at - float(k)));
}
#endif
