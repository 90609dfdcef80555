// Accumulates the thickness of the fluid in a closed mesh within RENDER_LAYER_REACH spacings behind its
// surface, as splat_layer_thickness.frag does for particles. The image is half as wide and high as the
// picture; triangles are rasterized at the centres of its pixels, which are corners of the picture's pixels.
#version 460
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(occluder_depth);
layout(location = 2) in float depth;
layout(location = 0) out vec2 thickness;

void main()
{
    render_camera camera = params.cameras[pass.constant];
    ivec2 size = textureSize(fluid, 0), p = min(2 * ivec2(gl_FragCoord.xy), size - 1);
    float scale = length(camera_ray(camera, vec2(p) + 0.5).direction), w = texelFetch(fluid, p, 0).x;
    float solid = camera_decode_depth(camera, texelFetch(occluder_depth, p, 0).x);
    if (w <= 0.0) discard;
    float metres = min(min(depth, 1.0 / w + RENDER_LAYER_REACH * params.spacing / scale), solid) * scale;
    thickness = vec2(gl_FrontFacing ? -metres : metres);
}
