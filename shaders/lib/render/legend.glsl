// Draws a colour scale with its ends and unit, or a swatch for each fluid, in the lower left corner.
// Letters are 3 x 5 dots, 15 bits from the top left.
// Buffers: params.
#ifndef RENDER_LEGEND_GLSL
#define RENDER_LEGEND_GLSL
#include "render/colours.glsl"

const uint LEGEND_GLYPHS[20] = uint[20](
    0x7b6fu, 0x2c97u, 0x73e7u, 0x73cfu, 0x5bc9u, 0x79cfu,
    0x79efu, 0x7249u, 0x7befu, 0x7bcfu, 0x0002u, 0x01c0u,
    0x0fedu, 0x12a4u, 0x388eu, 0x52a5u, 0x4bb5u,
    0x6ba4u, 0x076bu, 0x0000u);

bool legend_glyph_pixel(uvec2 text, ivec2 dot)
{
    int k = dot.x / 4;
    if (dot.x < 0 || dot.y < 0 || dot.y >= 5 || k >= 8 || dot.x % 4 == 3) return false;
    uint glyph = (k < 4 ? text.x >> (8 * k) : text.y >> (8 * (k - 4))) & 255u;
    return (LEGEND_GLYPHS[min(glyph, RENDER_GLYPH_BLANK)] >> (14 - dot.y * 3 - dot.x % 4) & 1u) != 0u;
}

// Returns a pixel's sRGB colour with the legend drawn over it.
vec3 legend_blend(vec3 shown, ivec2 p, ivec2 size)
{
    int dots = max(size.y / 180, 1), width = 100, height = 5;
    if (p.y < size.y - 24 * dots || p.x < 6 * dots) return shown;
    ivec2 at = ivec2(p.x, p.y - (size.y - 24 * dots)) / dots - ivec2(6, 12); // from the bar's upper left
    if (at.x >= 0 && at.x < width && at.y >= 0 && at.y < height) {
        int fluids = int(params.legend[1].w); // 1: a colour scale
        int fluid = min(at.x * fluids / width, fluids - 1);
        if (fluids > 1) return srgb_encode(params.fluids[fluid].colour.xyz);
        return srgb_encode(colour_map_viridis((float(at.x) + 0.5) / float(width)));
    }
    ivec2 line = at + ivec2(0, 7);
    bool letter = legend_glyph_pixel(params.legend[0].xy, line) ||
                  legend_glyph_pixel(params.legend[0].zw, line - ivec2(width - 31, 0)) ||
                  legend_glyph_pixel(params.legend[1].xy, line - ivec2(width + 4, 7));
    return letter ? vec3(0.02) : shown;
}
#endif
