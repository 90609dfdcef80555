// Normal and colour of the nearest solid.
#version 460
layout(location = 0) in vec3 normal;
layout(location = 1) flat in vec4 colour;
layout(location = 0) out vec4 out_normal;
layout(location = 1) out vec4 out_colour;

void main()
{
    out_normal = vec4(normalize(normal), 1.0);
    out_colour = vec4(colour.xyz, 1.0);
}
