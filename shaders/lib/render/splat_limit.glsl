// Reads the depth of solids, which limits splats of fluid; bit 1 of pass.constant is set if there are any
// solids.
#ifndef RENDER_SPLAT_LIMIT_GLSL
#define RENDER_SPLAT_LIMIT_GLSL
#include "render/camera.glsl"

READ_IMAGE_ANY(occluder_depth);

float splat_occluder_depth_at(render_camera camera, ivec2 pixel)
{
    if ((pass.constant & 2u) == 0u) return RENDER_FAR;
    return camera_decode_depth(camera, texelFetch(occluder_depth, pixel, 0).x);
}

float splat_occluder_depth(render_camera camera)
{
    return splat_occluder_depth_at(camera, ivec2(gl_FragCoord.xy));
}
#endif
