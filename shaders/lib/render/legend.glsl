// Blends the legend, which src/render/legend.c has drawn, over the picture.
// Buffers: params, legend.
#ifndef RENDER_LEGEND_GLSL
#define RENDER_LEGEND_GLSL

// Returns a pixel's sRGB colour and alpha with the legend drawn over it.
vec4 legend_blend(vec4 shown, ivec2 p)
{
    ivec2 at = p - ivec2(params.legend.xy);
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(params.legend.zw)))) return shown;
    vec4 drawn = unpackUnorm4x8(legend[uint(at.y) * params.legend.z + uint(at.x)]);
    return vec4(mix(shown.rgb, drawn.rgb, drawn.a), mix(shown.a, 1.0, drawn.a));
}
#endif
