// Accumulates the optical depth of foam on the fluid's surface, from discs so large that dense foam becomes a
// smooth film. The image is half as wide and high as the picture.
#version 460
#include "whitewater.h"
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_IMAGE_ANY(solid_depth);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(thickness);
#include "render/whitewater_hidden.glsl"
layout(location = 0) flat in vec4 ends;
layout(location = 1) flat in vec4 shape;
layout(location = 0) out vec4 film;

void main()
{
    ivec2 size = textureSize(fluid, 0), p = min(2 * ivec2(gl_FragCoord.xy), size - 1);
    vec2 way = ends.zw - ends.xy, off = 2.0 * gl_FragCoord.xy - ends.xy;
    float along = clamp(dot(off, way) / max(dot(way, way), 1e-12), 0.0, 1.0);
    vec2 across = (off - along * way) / shape.x;
    float rest = 1.0 - dot(across, across), z = shape.y;
    if (rest <= 0.0) discard;
    float solid = camera_decode_depth(params.cameras[RENDER_CAMERA_EYE], texelFetch(solid_depth, p, 0).x);
    if (z > solid) discard;
    film = vec4(shape.z * rest * rest * (1.0 - smoothstep(0.5, 2.0, whitewater_distance_behind(p, z))));
}
