// Writes 1/z and the normal of the nearest surface of a fluid that is given as a mesh, in front of the
// solids.
#version 460
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_IMAGE_ANY(occluder_depth);
layout(location = 0) in vec3 normal;
layout(location = 2) in float depth;
layout(location = 0) out float nearest;
layout(location = 1) out vec4 out_normal;

void main()
{
    float limit = texelFetch(occluder_depth, ivec2(gl_FragCoord.xy), 0).x;
    if (depth >= camera_decode_depth(params.cameras[pass.constant], limit)) discard;
    nearest = 1.0 / depth;
    out_normal = vec4(normalize(normal), 1.0);
}
