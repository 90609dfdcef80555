// Draws the shaded fluid over the host's picture, which remains unchanged where there is no fluid.
#version 460
#include "bindings/render_draw.glsl"
#include "render/colours.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(colour);
layout(location = 0) out vec4 over;

void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);
    if (texelFetch(fluid, p, 0).x <= 0.0) discard;
    vec3 c = max(texelFetch(colour, p, 0).rgb, vec3(0.0));
    over = vec4(params.host.z != 0.0 ? srgb_encode(min(c, vec3(1.0))) : c, 1.0);
}
