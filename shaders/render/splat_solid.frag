// A splat as an opaque body: its normal and colour where it is nearest.
#version 460
#include "render/splat_fragment.glsl"

layout(location = 0) out vec4 normal;
layout(location = 1) out vec4 colour;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[row.constant & 1u];
    splat_hit hit = splat_here(camera, RENDER_FAR, ray);
    mat3 b = splat_matrix(render_splat(low, high, rest, vec4(0.0)));
    normal = vec4(camera_back(camera, normalize(b * hit.entry)), 1.0);
    colour = vec4(unpackUnorm4x8(floatBitsToUint(rest.w)).xyz, 1.0);
    gl_FragDepth = camera_stored(camera, hit.near);
}
