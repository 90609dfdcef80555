// A cube for each body of the simulation, which says where it is and how it is turned.
#version 460
layout(push_constant) uniform camera { mat4 clip; vec4 right, up; };
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 rotation; // a quaternion
layout(location = 0) out vec3 colour;

const float half_edge = 0.08; // of the scene's box

void main()
{
    // Six faces of two triangles.
    const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));
    int face = gl_VertexIndex / 6, axis = face / 2;
    float side = face % 2 == 0 ? -1.0 : 1.0;
    vec3 p = vec3(side, corners[gl_VertexIndex % 6]);
    vec3 local = axis == 0 ? p.xyz : axis == 1 ? p.yxz : p.zyx;
    vec3 normal = axis == 0 ? vec3(side, 0, 0) : axis == 1 ? vec3(0, side, 0) : vec3(0, 0, side);
    vec4 q = rotation;
    local += 2.0 * cross(q.xyz, cross(q.xyz, local) + q.w * local);
    normal += 2.0 * cross(q.xyz, cross(q.xyz, normal) + q.w * normal);
    colour = vec3(0.85, 0.6, 0.35) * (0.55 + 0.45 * dot(normal, normalize(vec3(0.5, 0.8, 0.3))));
    gl_Position = clip * vec4(position.xyz + half_edge * local, 1.0);
}
