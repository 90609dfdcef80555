// The corners of splats and what the fragment shaders read from them.
#ifndef RENDER_SPLAT_VERTEX_GLSL
#define RENDER_SPLAT_VERTEX_GLSL
#include "bindings/render_draw.glsl"

BLOCK(params);
#include "render/splat.glsl"
READ_ANY(splats);
layout(location = 0) flat out vec4 low;
layout(location = 1) flat out vec4 high;
layout(location = 2) flat out vec3 rest;
layout(location = 3) flat out uint word; // bits of rest.w: drivers may change floats that are no numbers

// Returns the quad that a vertex belongs to.
uint quad_index() { return uint(gl_InstanceIndex) * GPU_INSTANCE_QUADS + uint(gl_VertexIndex) / 4u; }

// Returns the bounds of the part of a splat that is not spray: those of the splat, shrunk towards its centre,
// with a margin, because perspective is not linear. Splats close to the eye keep their bounds.
vec4 rest_bounds(render_splat s, render_camera camera)
{
    float rest = drops_rest_radius(s);
    vec2 size = s.bounds.zw - s.bounds.xy;
    if (rest == 0.0) return vec4(0.0);
    if (max(size.x, size.y) > 0.1 * camera.frame.y) return s.bounds;
    vec2 centre = camera_project(camera, vec3(s.high.zw, s.rest.x));
    vec4 shrunk = centre.xyxy + min(1.1 * rest, 1.0) * (s.bounds - centre.xyxy) + vec4(-1.0, -1.0, 1.0, 1.0);
    return vec4(max(shrunk.xy, s.bounds.xy), min(shrunk.zw, s.bounds.zw));
}

const float LEAST_RADIUS = 2.0; // pixels, of splats at half the resolution: smaller ones would alias

// Widens a splat that is too small for half the resolution, at the same volume. Drops of glass, which are
// larger, keep their size.
void widen_small(inout render_splat s, render_camera camera)
{
    float depth = camera.forward.w != 0.0 ? 1.0 : max(s.rest.x, camera.eye.w);
    float pixel = 2.0 * camera.up.w * camera.frame.w * depth;
    float radius = params.spacing * pow(0.23873 / s.rest.y, 1.0 / 3.0) / pixel;
    float wider = LEAST_RADIUS / radius;
    bool apart = params.drops.x >= 2.0 && drops_spread(s.rest.z) > 0.0;
    bool glass = apart && drops_glass(s.rest.x, camera) >= 0.5;
    if (s.rest.y <= 0.0 || wider <= 1.0 || glass || s.bounds.z <= s.bounds.x) return;
    s.low /= wider;
    s.high.xy /= wider;
    s.rest.y /= wider * wider * wider;
    s.bounds += 1.5 * (LEAST_RADIUS - radius) * vec4(-1.0, -1.0, 1.0, 1.0);
}

// Sets the position of this vertex, a corner of a splat, and the outputs above. With `halved`, the image has
// half the resolution, and the quad covers all texels of which any pixel is in the bounds.
void place_corner(uint splat, bool exists, bool halved)
{
    uint corner = uint(gl_VertexIndex) % 4u;
    render_splat s = splats[exists ? splat : 0u];
    if (!exists) s.bounds = vec4(0.0);
    render_camera camera = params.cameras[pass.constant & 1u];
    bool spray = camera.forward.w == 0.0 && drops_are_spray(s, camera);
    if ((pass.constant & RENDER_SPRAY_ONLY) != 0u) {
        s.bounds *= spray ? 1.0 : 0.0;
    } else if (spray && drops_glass(s.rest.x, camera) < 0.5) {
        s.bounds = rest_bounds(s, camera);
    }
    vec2 texels = halved ? floor(0.5 * camera.frame.xy + 0.5) : camera.frame.xy;
    if (halved) widen_small(s, camera);
    if (halved) s.bounds = vec4(floor(0.5 * s.bounds.xy), ceil(0.5 * s.bounds.zw));
    vec2 at = vec2((corner & 1u) == 0u ? s.bounds.x : s.bounds.z,
                   (corner & 2u) == 0u ? s.bounds.y : s.bounds.w);
    gl_Position = vec4(2.0 * at / texels - 1.0, 0.0, 1.0);
    low = s.low;
    high = s.high;
    rest = s.rest.xyz;
    word = floatBitsToUint(s.rest.w);
}
#endif
