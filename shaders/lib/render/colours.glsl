// Converts between linear light and sRGB, and assigns colours to ids.
#ifndef RENDER_COLOURS_GLSL
#define RENDER_COLOURS_GLSL

vec3 srgb_encode(vec3 c) // sRGB
{
    vec3 curve = 1.055 * pow(max(c, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, 12.92 * c, lessThan(c, vec3(0.0031308)));
}

vec3 srgb_decode(vec3 c)
{
    return mix(pow((max(c, vec3(0.0)) + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThan(c, vec3(0.04045)));
}

// Returns a colour for an id; successive hues differ by the golden ratio.
vec3 colour_for_id(uint n)
{
    float hue = fract(float(n & 0xffffu) * 0.61803399);
    vec3 c = clamp(abs(fract(hue + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return srgb_decode(mix(vec3(1.0), c, 0.65) * 0.9);
}
#endif
