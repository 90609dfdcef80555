// Draws two triangles around each whitewater particle: around the capsule along its path while the shutter is
// open, with the total optical depth of a disc. Particle i has vertices 6 i to 6 i + 5. pass.constant 1: only
// foam, as a film.
#version 460
#include "whitewater.h"
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_ANY(whitewater);
layout(location = 0) flat out vec4 ends;  // ends of the capsule's axis, pixels
layout(location = 2) flat out uint seed;
layout(location = 1) flat out vec4 shape; // x radius, pixels; y depth, m; z optical depth; w kind

// A particle represents a cluster: its radius is drawn larger by this factor. The last is foam as a film.
const float RADIUS_SCALE[5] = float[](2.5, 7.0, 3.0, 2.5, 16.0);
const float OPTICAL_DEPTH[5] = float[](0.6, 0.74, 0.4, 1.5, 0.142); // optical depth at the centre
const float MIN_RADIUS_PIXELS = 2.0; // smaller particles are drawn with this radius, and fainter

void main()
{
    uint index = uint(gl_VertexIndex) / 6u, corner = uint(gl_VertexIndex) % 6u;
    whitewater_particle a = whitewater[index];
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    vec3 p = camera_world_to_view(camera, a.position.xyz + params.drops.z * a.velocity.xyz);
    vec3 v = camera_to_view(camera, a.velocity.xyz);
    vec3 half_way = (0.5 * params.streak.x) * v;
    float near = camera.eye.w;
    bool film = pass.constant == 1u;
    bool drawn = film ? a.kind == WHITEWATER_FOAM : a.kind < WHITEWATER_KINDS;
    bool seen = p.z - abs(half_way.z) > near && drawn;
    uint kind = film ? WHITEWATER_KINDS : min(a.kind, WHITEWATER_TRACER);
    vec2 from = camera_project(camera, p - half_way), to = camera_project(camera, p + half_way);
    float pixels = camera.frame.y * 0.5 / camera.up.w / (camera.forward.w == 0.0 ? p.z : 1.0);
    float own = RADIUS_SCALE[kind] * a.position.w * pixels, radius = max(own, MIN_RADIUS_PIXELS);
    float along = distance(from, to);
    // Keeps the disc's total: (1 - r^2)^2 integrates to pi/3 R^2 over a disc, to 16/15 R l over a strip.
    float area = 3.1416 * own * own / (3.1416 * radius * radius + 3.2 * radius * along);
    vec2 low = min(from, to) - radius, high = max(from, to) + radius;
    bool right = corner == 1u || corner == 2u || corner == 4u, bottom = corner >= 2u && corner != 3u;
    vec2 pixel = vec2(right ? high.x : low.x, bottom ? high.y : low.y);
    gl_Position = seen ? vec4(2.0 * pixel * camera.frame.zw - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 0.0, 1.0);
    ends = vec4(from, to);
    seed = a.id;
    shape = vec4(radius, p.z, OPTICAL_DEPTH[kind] * area, float(a.kind));
}
