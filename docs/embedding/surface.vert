// A vertex of the fluid's surface, lit from above.
#version 460
layout(push_constant) uniform camera { mat4 clip; vec4 right, up; };
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 colour;

void main()
{
    float light = 0.45 + 0.55 * max(dot(normal, normalize(vec3(0.3, 0.8, 0.5))), 0.0);
    colour = vec3(0.15, 0.45, 0.85) * light;
    gl_Position = clip * vec4(position, 1.0);
}
