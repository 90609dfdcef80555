// Optical depths, added up in any order: of whitewater before the fluid's surface or on it, and of what is
// behind; and the latter times its metres behind. White on white needs no order (docs/whitewater.md).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "foam.h"
#include "render_draw.glsl"
#include "camera.glsl"

UNIFORM(params);
SAMPLED(solid_depth);
SAMPLED(fluid);
layout(location = 0) flat in vec4 ends;
layout(location = 1) flat in vec4 shape;
layout(location = 0) out vec4 layers;

void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec2 way = ends.zw - ends.xy, off = gl_FragCoord.xy - ends.xy;
    float along = clamp(dot(off, way) / max(dot(way, way), 1e-12), 0.0, 1.0);
    vec2 across = (off - along * way) / shape.x;
    float rest = 1.0 - dot(across, across), z = shape.y;
    if (rest <= 0.0) discard;
    if (z > camera_depth(params.cameras[RENDER_EYE], texelFetch(solid_depth, p, 0).x)) discard;
    float tau = shape.z * rest * rest, w = texelFetch(fluid, p, 0).x;
    float behind = w > 0.0 ? (z - 1.0 / w) / params.spacing : -RENDER_FAR; // spacings
    // Foam lies on the surface, whatever the surface's own noise: soft bounds, or it would flicker.
    float hidden = shape.w == float(FOAM_FOAM) ? smoothstep(0.5, 2.0, behind) : smoothstep(-0.5, 0.5, behind);
    layers = tau * vec4(1.0 - hidden, hidden, hidden * max(behind, 0.0) * params.spacing, 0.0);
}
