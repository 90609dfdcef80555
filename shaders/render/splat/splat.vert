// Draws two triangles over the pixels that a splat covers; splat i has vertices 6 i to 6 i + 5.
#version 460
#include "bindings/render_draw.glsl"

BLOCK(params);
READ_ANY(splats);
layout(location = 0) flat out vec4 low;
layout(location = 1) flat out vec4 high;
layout(location = 2) flat out vec4 rest;

void main()
{
    uint splat = uint(gl_VertexIndex) / 6u, corner = uint(gl_VertexIndex) % 6u;
    render_splat s = splats[splat];
    vec2 size = params.cameras[pass.constant & 1u].frame.zw;
    bool right = corner == 1u || corner == 2u || corner == 4u, bottom = corner >= 2u && corner != 3u;
    vec2 pixel = vec2(right ? s.bounds.z : s.bounds.x, bottom ? s.bounds.w : s.bounds.y);
    gl_Position = vec4(2.0 * pixel * size - 1.0, 0.0, 1.0);
    low = s.low;
    high = s.high;
    rest = s.rest;
}
