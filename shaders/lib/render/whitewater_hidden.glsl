// The fluid's surface as it hides whitewater.
// Buffers: params. Images: fluid, thickness.
#ifndef RENDER_WHITEWATER_HIDDEN_GLSL
#define RENDER_WHITEWATER_HIDDEN_GLSL

// Returns the distance of the depth `z` behind the surface at a pixel, spacings; 0 in front of the surface.
// Lone drops hide nothing: what is behind them is seen around them.
float whitewater_distance_behind(ivec2 p, float z)
{
    float w = texelFetch(fluid, p, 0).x;
    if (w <= 0.0) return 0.0;
    vec2 t = texelFetch(thickness, p, 0).xy;
    return max(z - 1.0 / w, 0.0) / params.spacing * smoothstep(0.1, 0.35, t.y / max(t.x, 1e-12));
}
#endif
