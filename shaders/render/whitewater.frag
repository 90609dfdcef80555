// Accumulates optical depths in any order: of foam and bubbles in front of the fluid's surface or on it (x);
// of whitewater behind the surface (y), and the same times its distance behind the surface in metres (z); and
// of spray in front of the surface (w). White on white needs no order (docs/whitewater.md).
#version 460
#include "whitewater.h"
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"
#include "math/random.glsl"

BLOCK(params);
READ_IMAGE_ANY(solid_depth);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(thickness);
#include "render/whitewater_hidden.glsl"
layout(location = 0) flat in vec4 ends;
layout(location = 1) flat in vec4 shape;
layout(location = 2) flat in uint seed;
layout(location = 0) out vec4 layers;

float falloff(float distance2) { return max(1.0 - distance2, 0.0) * max(1.0 - distance2, 0.0); }

// Returns the optical depth of a foam particle seen from close up, over that at the disc's centre. A particle
// of foam represents a cluster: seven specks, one in the middle, with the total optical depth of the disc.
// `across` is in radii.
float foam_specks(vec2 across)
{
    const float inverse = 1.0 / (0.3 * 0.3);
    float sum = falloff(inverse * dot(across, across));
    for (uint i = 0u; i < 3u; i++) {
        vec4 u = random_floats(uvec4(seed, i, 0u, 0u));
        vec2 r = 0.7 * sqrt(u.xz), turn = 6.2831853 * u.yw;
        vec2 a = across - r.x * vec2(cos(turn.x), sin(turn.x));
        vec2 b = across - r.y * vec2(cos(turn.y), sin(turn.y));
        sum += falloff(inverse * dot(a, a)) + falloff(inverse * dot(b, b));
    }
    return sum * inverse / 7.0;
}

void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec2 way = ends.zw - ends.xy, off = gl_FragCoord.xy - ends.xy;
    float along = clamp(dot(off, way) / max(dot(way, way), 1e-12), 0.0, 1.0);
    vec2 across = (off - along * way) / shape.x;
    float rest = 1.0 - dot(across, across), z = shape.y;
    if (rest <= 0.0) discard;
    if (z > camera_decode_depth(params.cameras[RENDER_CAMERA_EYE], texelFetch(solid_depth, p, 0).x)) discard;
    float near = shape.w == float(WHITEWATER_SPRAY) ? 0.0 : smoothstep(4.0, 8.0, shape.x);
    near *= 1.0 - smoothstep(0.5, 2.0, length(way) / shape.x); // motion blurs specks into a streak
    float cover = rest * rest;
    if (near > 0.0) cover = mix(cover, foam_specks(across), near);
    float tau = shape.z * cover, behind = whitewater_distance_behind(p, z);
    // Foam lies on the surface despite the surface's noise: the bounds are soft, or it would flicker.
    float hidden = shape.w == float(WHITEWATER_FOAM) ? smoothstep(0.5, 2.0, behind)
                                                     : smoothstep(0.0, 1.0, behind);
    float front = tau * (1.0 - hidden);
    layers = vec4(front, tau * hidden, tau * hidden * behind * params.spacing, 0.0);
    if (shape.w == float(WHITEWATER_SPRAY)) layers.xw = vec2(0.0, front);
}
