// Accumulates the thickness of fluid in a closed mesh, m: along each ray the sum of the distances at which it
// leaves minus the sum of those at which it enters; no distance reaches beyond the solids.
#version 460
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_IMAGE_ANY(occluder_depth);
layout(location = 2) in float depth;
layout(location = 0) out vec2 thickness;

void main()
{
    render_camera camera = params.cameras[pass.constant];
    float limit = camera_decode_depth(camera, texelFetch(occluder_depth, ivec2(gl_FragCoord.xy), 0).x);
    float metres = min(depth, limit) * length(camera_ray(camera, gl_FragCoord.xy).direction);
    thickness = vec2(gl_FrontFacing ? -metres : metres); // all of it is bulk fluid, none of it spray
}
