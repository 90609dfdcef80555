// Transforms the triangles of the posed solids. A vertex's w holds the index of its model.
#version 460
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_ANY(vertices);
READ_ANY(normals);
READ_ANY(indices);
BLOCK(models);
layout(location = 0) out vec3 normal;
layout(location = 1) flat out vec4 colour;
layout(location = 2) out float depth;
layout(location = 3) out vec3 to_eye;

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void main()
{
    uint v = indices[gl_VertexIndex];
    vec4 vertex = vertices[v];
    render_model model = models[floatBitsToUint(vertex.w)];
    render_camera camera = params.cameras[pass.constant];
    vec3 world = rotate(model.rotation, model.position.w * vertex.xyz) + model.position.xyz;
    vec3 p = camera_world_to_view(camera, world);
    normal = rotate(model.rotation, normals[v].xyz);
    colour = model.colour;
    depth = p.z;
    to_eye = camera.eye.xyz - world;
    vec2 s = p.xy / vec2(camera.right.w, -camera.up.w);
    bool parallel = camera.forward.w != 0.0;
    gl_Position = parallel ? vec4(s, 1.0 - p.z / camera.forward.w, 1.0) : vec4(s, camera.eye.w, p.z);
}
