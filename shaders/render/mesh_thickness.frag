// Metres of fluid in a closed mesh: where a ray leaves less where it enters, added up, each not beyond the
// solids.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "render_draw.glsl"
#include "camera.glsl"

UNIFORM(params);
SAMPLED(splat_limits);
layout(location = 2) in float depth;
layout(location = 0) out vec2 thickness;

void main()
{
    render_camera camera = params.cameras[row.constant];
    float limit = camera_depth(camera, texelFetch(splat_limits, ivec2(gl_FragCoord.xy), 0).x);
    float way = min(depth, limit) * length(camera_ray(camera, gl_FragCoord.xy).way);
    thickness = vec2(gl_FrontFacing ? -way : way, 0.0);
}
