// A triangle on the floor behind the pool.
#version 460
layout(push_constant) uniform camera { mat4 clip; vec4 right, up; };
layout(location = 0) out vec3 colour;

void main()
{
    const vec2 corners[3] = vec2[](vec2(0.1, 0.02), vec2(0.9, 0.02), vec2(0.5, 0.6));
    const vec3 colours[3] = vec3[](vec3(0.9, 0.25, 0.2), vec3(0.95, 0.8, 0.2), vec3(0.3, 0.75, 0.35));
    colour = colours[gl_VertexIndex];
    gl_Position = clip * vec4(corners[gl_VertexIndex], -0.1, 1.0);
}
