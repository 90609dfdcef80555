// Where the solids begin, for splats of fluid; row.constant bit 1 is set where there are any.
#ifndef RENDER_SPLAT_LIMIT_GLSL
#define RENDER_SPLAT_LIMIT_GLSL
#include "render/camera.glsl"

SAMPLED(splat_limits);

float splat_limit(render_camera camera)
{
    if ((row.constant & 2u) == 0u) return RENDER_FAR;
    return camera_depth(camera, texelFetch(splat_limits, ivec2(gl_FragCoord.xy), 0).x);
}
#endif
