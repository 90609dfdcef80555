// Writes the normal and colour of the nearest solid.
#version 460
#include "bindings/render_draw.glsl"
layout(location = 0) in vec3 normal;
layout(location = 1) flat in vec4 colour;
layout(location = 3) in vec3 to_eye;
layout(location = 0) out vec4 out_normal;
layout(location = 1) out vec4 out_colour;

void main()
{
    vec3 n = normalize(normal);
    if (colour.w == RENDER_TWO_SIDED && dot(n, to_eye) < 0.0) n = -n;
    out_normal = vec4(n, 1.0);
    out_colour = vec4(colour.xyz, 1.0);
}
