// Texels of images at half the resolution sample one of their four pixels, of the nearest surface among them,
// so that no part of the surface is without a sample.
#ifndef RENDER_SAMPLED_PIXEL_GLSL
#define RENDER_SAMPLED_PIXEL_GLSL

READ_IMAGE_ANY(sampled_pixels);

// Returns 1/z at a texel's sample, whose last bits are the pixel's place, and the pixel; 0 without fluid.
float sampled_pixel(ivec2 texel, out ivec2 p)
{
    float stored = texelFetch(sampled_pixels, texel, 0).x;
    uint place = floatBitsToUint(stored) & 3u;
    p = 2 * texel + ivec2(place & 1u, place >> 1);
    return stored;
}
#endif
