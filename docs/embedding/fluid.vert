// A quad for each particle, which faces the eye.
#version 460
layout(push_constant) uniform camera { mat4 clip; vec4 right, up; };
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 at; // -1 to 1

const float radius = 0.024; // m: half a particle spacing, and a little

void main()
{
    at = vec2(gl_VertexIndex % 2, gl_VertexIndex / 2) * 2.0 - 1.0;
    vec3 corner = position.xyz + radius * (at.x * right.xyz + at.y * up.xyz);
    gl_Position = clip * vec4(corner, 1.0);
}
