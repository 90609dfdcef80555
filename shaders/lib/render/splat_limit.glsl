// Reads the depth of solids, which limits splats of fluid; bit 1 of pass.constant is set if there are any
// solids.
#ifndef RENDER_SPLAT_LIMIT_GLSL
#define RENDER_SPLAT_LIMIT_GLSL
#include "render/camera.glsl"

READ_IMAGE_ANY(occluder_depth);

float splat_occluder_depth(render_camera camera)
{
    if ((pass.constant & 2u) == 0u) return RENDER_FAR;
    return camera_decode_depth(camera, texelFetch(occluder_depth, ivec2(gl_FragCoord.xy), 0).x);
}
#endif
