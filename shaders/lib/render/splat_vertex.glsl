// The corners of splats and what the fragment shaders read from them: splat i has vertices 6 i to 6 i + 5.
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

// Sets the position of a corner, 0 to 5, of a splat's two triangles, and the outputs above.
void place_corner(uint splat, uint corner)
{
    render_splat s = splats[splat];
    render_camera camera = params.cameras[pass.constant & 1u];
    bool spray = camera.forward.w == 0.0 && drops_are_spray(s, camera);
    if ((pass.constant & RENDER_SPRAY_ONLY) != 0u) {
        s.bounds *= spray ? 1.0 : 0.0;
    } else if (spray && drops_glass(s.rest.x, camera) < 0.5) {
        s.bounds = rest_bounds(s, camera);
    }
    bool right = corner == 1u || corner == 2u || corner == 4u, bottom = corner >= 2u && corner != 3u;
    vec2 pixel = vec2(right ? s.bounds.z : s.bounds.x, bottom ? s.bounds.w : s.bounds.y);
    gl_Position = vec4(2.0 * pixel * camera.frame.zw - 1.0, 0.0, 1.0);
    low = s.low;
    high = s.high;
    rest = s.rest.xyz;
    word = floatBitsToUint(s.rest.w);
}
#endif
