// Draws a splat as an opaque body: writes its normal and colour where it is nearest.
#version 460
#include "render/splat_fragment.glsl"

layout(location = 0) out vec4 normal;
layout(location = 1) out vec4 colour;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[pass.constant & 1u];
    splat_hit hit = splat_hit_at_pixel(camera, RENDER_FAR, ray);
    mat3 b = splat_inverse_matrix(splat_of_fragment());
    normal = vec4(camera_to_world_direction(camera, normalize(b * hit.entry)), 1.0);
    colour = vec4(unpackUnorm4x8(word).xyz, 1.0);
    gl_FragDepth = camera_encode_depth(camera, hit.near);
}
