// Writes 1/z of the nearest surface of a mesh of fluid, as the sun sees it; fragments behind solids are
// discarded.
#version 460
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_IMAGE_ANY(occluder_depth);
layout(location = 2) in float depth;
layout(location = 0) out float nearest;

void main()
{
    float limit = texelFetch(occluder_depth, ivec2(gl_FragCoord.xy), 0).x;
    if (depth >= camera_decode_depth(params.cameras[pass.constant], limit)) discard;
    nearest = 1.0 / depth;
}
